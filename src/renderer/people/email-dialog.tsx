import { useState } from 'react'
import { serverClient } from '../bridge/clients.ts'
import { useChange } from '../components/change/use-change.ts'
import { Dialog } from '../components/dialog/dialog.tsx'
import { DialogForm } from '../components/dialog/dialog-form.tsx'
import { EmailField, seenEmail, useEmail } from '../components/email-field.tsx'
import type { PersonDialogProps } from './person-action.ts'
import { text } from './strings.ts'

/** Sets where mail for a person goes. */
export function EmailDialog({ person, opened, onClose }: PersonDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={text.email.title(person.name)}>
      <EmailForm person={person} onClose={onClose} />
    </Dialog>
  )
}

function EmailForm({ person, onClose }: Omit<PersonDialogProps, 'opened'>) {
  const { id, name } = person
  const [stored] = useState(person.email)
  const draft = useEmail(stored)
  const save = useChange(serverClient.people.setEmail.mutate, {
    done: () => text.email.done(name),
    failed: () => text.email.failed(name),
    onDone: onClose,
  })
  return (
    <DialogForm
      action={text.email.action}
      change={save}
      valid={draft.fault === undefined}
      onSubmit={() => save.send({ id, email: draft.email, seen: seenEmail(save.error, stored) })}
    >
      {(tried) => <EmailField draft={draft} hint={text.email.hint} tried={tried} isFirst />}
    </DialogForm>
  )
}
