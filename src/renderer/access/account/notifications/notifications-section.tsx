import { Button, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { account, accountClient } from '../../../bridge/browser/account-client.ts'
import { server } from '../../../bridge/clients.ts'
import { useChange } from '../../../components/change/use-change.ts'
import { EmailField, seenEmail, useEmail } from '../../../components/email-field.tsx'
import { Loaded } from '../../../components/loading/loading.tsx'
import { ErrorNotice } from '../../../components/notice.tsx'
import { Panel } from '../../../components/panel.tsx'
import { BrowsersPanel } from './browsers-panel.tsx'
import { ChoicesForm } from './choices-form.tsx'
import { text } from './strings.ts'

/** What the person is notified about, and where. `email`: the stored address. */
export function NotificationsSection({ email }: { readonly email: string | null }) {
  const own = useQuery(account.own.notifications.get.queryOptions())
  const apps = useQuery(server.apps.names.queryOptions())
  return (
    <>
      <Panel title={text.title}>
        <Stack gap="lg">
          <EmailForm email={email} />
          <Loaded query={own}>{(data) => <ChoicesForm own={data} apps={apps.data ?? []} />}</Loaded>
        </Stack>
      </Panel>
      {own.data && <BrowsersPanel own={own.data} />}
    </>
  )
}

/** Where mail for the person goes. */
function EmailForm({ email: stored }: { readonly email: string | null }) {
  const [known, setKnown] = useState(stored)
  const draft = useEmail(stored)
  const [tried, setTried] = useState(false)
  const save = useChange(accountClient.own.setEmail.mutate, {
    done: text.email.done,
    failed: text.email.failed,
    onAnswer: (saved) => setKnown(saved.email),
  })
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setTried(true)
    if (draft.fault !== undefined) return
    save.send({ email: draft.email, seen: seenEmail(save.error, known) })
  }
  return (
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
  )
}
