import type { PersonItem } from '../../../shared/console/people/people.ts'
import { serverClient } from '../../bridge/clients.ts'
import type { DialogProps } from '../../components/dialog/dialog.tsx'
import { ChangeDialog } from '../../components/dialog/dialog-form.tsx'
import { text } from './strings.ts'

/** Disables an account: it stays, and nobody can sign in to it. */
export function DisableDialog({ person, ...dialog }: PersonDialogProps) {
  const { id, name, sessions, openLink } = person
  return (
    <ChangeDialog
      {...dialog}
      {...wordsOf('disable', name)}
      send={() => serverClient.people.setDisabled.mutate({ id, disabled: true })}
    >
      {text.disable.effect(name, sessions, openLink !== null)}
    </ChangeDialog>
  )
}

/** Enables an account that was disabled. */
export function EnableDialog({ person, ...dialog }: PersonDialogProps) {
  const { id, name } = person
  return (
    <ChangeDialog
      {...dialog}
      {...wordsOf('enable', name)}
      destructive={false}
      send={() => serverClient.people.setDisabled.mutate({ id, disabled: false })}
    >
      {text.enable.effect(name, rolesOf(person))}
    </ChangeDialog>
  )
}

/** Deletes an account, after its name was typed. */
export function RemoveDialog({ person, ...dialog }: PersonDialogProps) {
  const { id, name, sessions } = person
  return (
    <ChangeDialog
      {...dialog}
      {...wordsOf('remove', name)}
      typed={name}
      send={() => serverClient.people.remove.mutate({ id, confirmation: name })}
      onAnswer={dialog.onClose}
    >
      {text.remove.effect(name, rolesOf(person), sessions)}
    </ChangeDialog>
  )
}

/** Turns off the second factor of somebody who has lost it. */
export function TwoFactorDialog({ person, ...dialog }: PersonDialogProps) {
  const { id, name, passkeys } = person
  return (
    <ChangeDialog
      {...dialog}
      {...wordsOf('twoFactorReset', name)}
      send={() => serverClient.people.resetTwoFactor.mutate({ id })}
    >
      {text.twoFactorReset.effect(passkeys)}
    </ChangeDialog>
  )
}

function wordsOf(step: 'disable' | 'enable' | 'remove' | 'twoFactorReset', name: string) {
  const { title, action, done, failed } = text[step]
  return { title: title(name), action, done: done(name), failed: failed(name) }
}

function rolesOf({ access }: PersonItem): number {
  return access.apps.length + (access.server === null ? 0 : 1)
}

/** What can be done about an account. */
export type PersonAction =
  | 'roles'
  | 'email'
  | 'link'
  | 'sessions'
  | 'twoFactor'
  | 'disable'
  | 'enable'
  | 'remove'

/** What the dialog of one action is given. */
export interface PersonDialogProps extends DialogProps {
  readonly person: PersonItem
}
