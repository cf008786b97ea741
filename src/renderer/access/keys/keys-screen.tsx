import { IconKey } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { KeyItem } from '../../../shared/access/key.ts'
import { showInvisible } from '../../../shared/basics/visible.ts'
import { useAccess } from '../../bridge/access.ts'
import { server, serverClient } from '../../bridge/clients.ts'
import { Panel, SmallButton } from '../../components/blocks.tsx'
import { useAsked } from '../../components/dialog/dialog.tsx'
import { ChangeDialog } from '../../components/dialog/dialog-form.tsx'
import { DataTable } from '../../components/list/data-table.tsx'
import { ListScreen } from '../../components/list/list-screen.tsx'
import { StatusBadge } from '../../components/release/status-badge.tsx'
import { Small, Strong, When } from '../../components/text/words.tsx'
import classes from '../access.module.css'
import { MintDialog } from './mint-form.tsx'
import { SCOPE_WORDS, text } from './strings.ts'

/** The keys with which machines use this server's API. */
export function Component() {
  // When a key was last used is no change that the server announces.
  const keys = useQuery(server.keys.list.queryOptions(undefined, { refetchOnMount: 'always' }))
  const mayMint = useAccess().mayInSomeApp('release_manager')
  return (
    <ListScreen
      title={text.title}
      description={text.description}
      query={keys}
      create={mayMint ? text.create : undefined}
      dialog={MintDialog}
      empty={{
        icon: IconKey,
        title: text.empty,
        hint: mayMint ? text.emptyHint : text.emptyForViewers,
      }}
    >
      {(list) => <KeyTable keys={list} />}
    </ListScreen>
  )
}

function KeyTable({ keys }: { readonly keys: readonly KeyItem[] }) {
  const revoking = useAsked<KeyItem>()
  const revoked = revoking.about
  const { may } = useAccess()
  const mayRevoke = ({ app }: KeyItem) =>
    app === null ? may('administrator') : may('release_manager', app)
  const { columns } = text
  return (
    <Panel flush title={text.keys}>
      <DataTable
        label={text.table}
        className={classes.keys}
        rows={keys}
        keyOf={({ prefix }) => prefix}
        columns={[
          { name: columns.key, cell: (key) => <KeyName item={key} /> },
          { name: columns.scopes, cell: (key) => <Scopes item={key} /> },
          { name: columns.created, cell: ({ createdAt }) => <When at={createdAt} /> },
          { name: columns.lastUsed, cell: ({ lastUsedAt }) => <When at={lastUsedAt} /> },
          {
            name: columns.status,
            cell: ({ revokedAt }) => (
              <StatusBadge status={revokedAt === null ? 'active' : 'revoked'} />
            ),
          },
          {
            ...{ name: columns.actions, isUnnamed: true, ta: 'end', w: 96 },
            cell: (key) =>
              key.revokedAt === null &&
              mayRevoke(key) && (
                <SmallButton
                  aria-label={text.revokeLabel(key.name)}
                  onClick={() => revoking.ask(key)}
                >
                  {text.revoke}
                </SmallButton>
              ),
          },
        ]}
      />
      {revoked && (
        <ChangeDialog
          {...revoking.dialog}
          title={text.revokeDialog.title(revoked.name, revoked.prefix)}
          action={text.revokeDialog.action}
          send={() => serverClient.keys.revoke.mutate({ prefix: revoked.prefix })}
          done={text.revokeDialog.done(revoked.name)}
          failed={text.revokeDialog.failed(revoked.prefix)}
        >
          {text.revokeDialog.effect} {text.revokeDialog.lastUsed}{' '}
          <When at={revoked.lastUsedAt} empty={text.revokeDialog.never} />.
        </ChangeDialog>
      )}
    </Panel>
  )
}

interface ItemProps {
  readonly item: KeyItem
}

function KeyName({ item: { name, prefix } }: ItemProps) {
  return (
    <>
      <Strong className="wraps">{showInvisible(name)}</Strong>
      <Small ff="monospace">{`${prefix}…`}</Small>
    </>
  )
}

function Scopes({ item: { scopes, app, bypassApproval } }: ItemProps) {
  return (
    <>
      {scopes.map((scope) => SCOPE_WORDS[scope].name).join(', ')}
      <Small>{app === null ? text.allApps : text.app(app)}</Small>
      {bypassApproval && <Small>{text.bypasses}</Small>}
    </>
  )
}
