import { Button, Group, Stack } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { accountClient } from '../bridge/browser/account-client.ts'
import { ErrorNotice } from '../components/change/error-notice.tsx'
import { useChange } from '../components/change/use-change.ts'
import { EmailField, seenEmail, useEmail } from '../components/email-field.tsx'
import { Panel } from '../components/panel.tsx'
import { text } from './strings.ts'

/** Where mail for the person goes. */
export function EmailSection({ email: stored }: { readonly email: string | null }) {
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
