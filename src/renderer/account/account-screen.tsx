import { Button, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { account, accountClient } from '../bridge/browser/account-client.ts'
import { shell } from '../bridge/clients.ts'
import { ErrorNotice } from '../components/change/error-notice.tsx'
import { useChange } from '../components/change/use-change.ts'
import { EmailField, seenEmail, useEmail } from '../components/email-field.tsx'
import { Loaded } from '../components/loading/loaded.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Panel } from '../components/panel.tsx'
import { AppearanceFields, setPreferences } from '../settings/appearance-fields.tsx'
import { PasskeysSection } from './passkeys-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { SingleSignOnSection } from './single-sign-on-section.tsx'
import { text } from './strings.ts'
import { TwoFactorSection } from './two-factor-section.tsx'

/** How the person signs in, where they are signed in, and how the console looks to them. In browsers only. */
export function Component() {
  const own = useQuery(account.own.get.queryOptions())
  return (
    <>
      <PageHeader
        title={text.title}
        description={own.data === undefined ? undefined : text.signedInAs(own.data.name)}
      />
      <Stack gap="lg">
        <Loaded query={own}>
          {(data) => (
            <>
              <PasswordSection own={data} />
              <TwoFactorSection own={data} />
              <PasskeysSection own={data} />
              <SingleSignOnSection own={data} />
              <EmailSection email={data.email} />
            </>
          )}
        </Loaded>
        <SessionsSection />
        <AppearanceSection />
      </Stack>
    </>
  )
}

/** How the console looks in this browser. */
function AppearanceSection() {
  const preferences = useQuery(shell.shell.preferences.queryOptions())
  const set = useChange(setPreferences, {
    failed: () => text.appearance.failed,
    inTurn: true,
  })
  return (
    <Panel title={text.appearance.title}>
      <Loaded query={preferences}>
        {({ theme, timeZone }) => (
          <Stack gap="md">
            <AppearanceFields theme={theme} timeZone={timeZone} onChange={set.send} />
            <ErrorNotice error={set.error} title={text.appearance.failed} />
          </Stack>
        )}
      </Loaded>
    </Panel>
  )
}

/** Where mail for the person goes. */
function EmailSection({ email: stored }: { readonly email: string | null }) {
  const [known, setKnown] = useState(stored)
  const draft = useEmail(stored)
  const [tried, setTried] = useState(false)
  const save = useChange(accountClient.own.setEmail.mutate, {
    done: () => text.email.done,
    failed: () => text.email.failed,
    onAnswer: (saved) => setKnown(saved.email),
  })
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setTried(true)
    if (draft.fault !== undefined) return
    save.send({ email: draft.email, seen: seenEmail(save.error, known) })
  }
  return (
    <Panel title={text.email.title}>
      <form onSubmit={submit} noValidate>
        <Stack maw={560}>
          <EmailField draft={draft} hint={text.email.hint} tried={tried} isOwn />
          <ErrorNotice error={save.error} />
          <Group>
            <Button type="submit" variant="default" loading={save.isPending}>
              {text.email.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  )
}
