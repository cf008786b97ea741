import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { LinkedIdentity, OwnAccount } from '../../../shared/console/people/account.ts'
import { account, accountClient } from '../../bridge/browser/account-client.ts'
import { ErrorNotice, Panel, PlainButton, SmallButton } from '../../components/blocks.tsx'
import { useAsked } from '../../components/dialog/dialog.tsx'
import { DataTable } from '../../components/list/data-table.tsx'
import { signOnRefusal } from '../sign-in/sign-on-refusal.ts'
import { ConfirmedDialog } from './confirmed-dialog.tsx'
import { text } from './strings.ts'

const words = text.singleSignOn

interface Props {
  readonly own: OwnAccount
}

/** The person's accounts at identity providers; nothing where there is neither one nor a provider. */
export function SingleSignOnSection({ own }: Props) {
  const { data } = useQuery(account.state.queryOptions())
  const [refusal] = useState(signOnRefusal)
  const [linking, setLinking] = useState(false)
  const unlinking = useAsked<LinkedIdentity>()
  const { identities, hasPassword } = own
  const identity = unlinking.about
  const provider = data?.singleSignOn ?? null
  if (provider === null && identities.length === 0) return null
  const mayLink = provider !== null && !identities.some(({ issuer }) => hostOf(issuer) === provider)
  return (
    <Panel title={words.title}>
      <Stack>
        <Group justify="space-between">
          <Text size="sm">{provider === null ? words.noProvider : words.hint(provider)}</Text>
          {mayLink && <PlainButton onClick={() => setLinking(true)}>{words.link}</PlainButton>}
        </Group>
        <ErrorNotice error={refusal} title={words.linkFailed} />
        {identities.length > 0 && (
          <DataTable
            label={words.title}
            rows={identities}
            keyOf={({ issuer, subject }) => `${issuer} ${subject}`}
            columns={[
              { name: words.columns.provider, cell: ({ issuer }) => hostOf(issuer) },
              { name: words.columns.account, cell: ({ subject }) => subject },
              {
                ...{ name: words.columns.actions, isUnnamed: true, ta: 'end', w: 96 },
                cell: (identity) => (
                  <SmallButton
                    aria-label={words.unlinkLabel(hostOf(identity.issuer))}
                    onClick={() => unlinking.ask(identity)}
                  >
                    {words.unlink}
                  </SmallButton>
                ),
              },
            ]}
          />
        )}
      </Stack>
      {provider !== null && (
        <ConfirmedDialog
          opened={linking}
          onClose={() => setLinking(false)}
          title={words.linkTitle(provider)}
          action={words.linkAction}
          hasPassword={hasPassword}
          send={({ password }) =>
            accountClient.own.linkIdentity.mutate({
              page: new URL('./', document.baseURI).href,
              password,
            })
          }
          failed={words.linkFailed}
          onAnswer={({ url }) => location.assign(url)}
        >
          {words.linkEffect(provider)}
        </ConfirmedDialog>
      )}
      {identity && (
        <ConfirmedDialog
          {...unlinking.dialog}
          title={words.unlinkTitle(hostOf(identity.issuer))}
          action={words.unlinkAction}
          destructive
          hasPassword={hasPassword}
          send={({ password }) => accountClient.own.unlinkIdentity.mutate({ identity, password })}
          done={words.unlinked(hostOf(identity.issuer))}
          failed={words.unlinkFailed(hostOf(identity.issuer))}
        >
          {words.unlinkEffect(hostOf(identity.issuer))}
        </ConfirmedDialog>
      )}
    </Panel>
  )
}

/** The host name of an identity provider, as people know it; the issuer itself where that is no address. */
function hostOf(issuer: string): string {
  return URL.parse(issuer)?.hostname ?? issuer
}
