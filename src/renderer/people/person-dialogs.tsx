import { useState } from 'react'
import type { IssuedPersonLink, PersonItem } from '../../shared/console/people.ts'
import { serverClient } from '../bridge/clients.ts'
import { useChange } from '../components/change/use-change.ts'
import { ConfirmForm } from '../components/dialog/confirm-dialog.tsx'
import { Dialog, useLast } from '../components/dialog/dialog.tsx'
import { DialogForm } from '../components/dialog/dialog-form.tsx'
import { OnceDialog } from '../components/dialog/shown-once.tsx'
import { EmailField, seenEmail, useEmail } from '../components/email-field.tsx'
import { DisableDialog, EnableDialog, RemoveDialog, TwoFactorDialog } from './confirm-dialogs.tsx'
import { IssuedLink, titleOfLink } from './issued-link.tsx'
import type { PersonAction, PersonDialogProps } from './person-action.ts'
import { RolesDialog } from './roles-dialog.tsx'
import { SessionsDialog } from './sessions-dialog.tsx'
import { text } from './strings.ts'

interface Props {
  /** The account in question. */
  readonly person: PersonItem | undefined
  /** What is asked; no dialog is open without. */
  readonly action: PersonAction | undefined
  readonly onClose: () => void
}

/** The dialogs about one account. */
export function PersonDialogs({ person, action, onClose }: Props) {
  const shown = useLast(person)
  if (shown === undefined) return null
  const of = (which: PersonAction): PersonDialogProps => {
    return { person: shown, opened: action === which, onClose }
  }
  return (
    <>
      <RolesDialog {...of('roles')} />
      <EmailDialog {...of('email')} />
      <LinkDialog {...of('link')} />
      <SessionsDialog {...of('sessions')} />
      <TwoFactorDialog {...of('twoFactor')} />
      <DisableDialog {...of('disable')} />
      <EnableDialog {...of('enable')} />
      <RemoveDialog {...of('remove')} />
    </>
  )
}

/** Sets where mail for a person goes. */
function EmailDialog({ person, ...dialog }: PersonDialogProps) {
  return (
    <Dialog {...dialog} title={text.email.title(person.name)}>
      <EmailForm person={person} onClose={dialog.onClose} />
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

/** Creates a link that sets a password, and shows it once: another invitation, or a reset. */
function LinkDialog({ person, ...dialog }: PersonDialogProps) {
  const words = person.status === 'invited' ? text.newLink.invitation : text.newLink.reset
  return (
    <OnceDialog
      {...dialog}
      title={words.title(person.name)}
      titleOf={titleOfLink}
      form={(onMade) => <LinkForm person={person} onCreated={onMade} />}
      shown={(link, close) => <IssuedLink link={link} onClose={close} />}
    />
  )
}

interface LinkProps extends Pick<PersonDialogProps, 'person'> {
  readonly onCreated: (link: IssuedPersonLink) => void
}

function LinkForm({ person: { id, name, status, sessions }, onCreated }: LinkProps) {
  const create = useChange(serverClient.people.createLink.mutate, {
    failed: () => text.newLink.failed(name),
    onAnswer: onCreated,
  })
  const { invitation, reset } = text.newLink
  const isInvited = status === 'invited'
  return (
    <ConfirmForm
      action={isInvited ? invitation.action : reset.action}
      destructive={false}
      change={create}
      onConfirm={() => create.send({ id })}
    >
      {isInvited ? invitation.effect : reset.effect(sessions)}
    </ConfirmForm>
  )
}
