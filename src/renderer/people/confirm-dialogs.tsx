import type { PersonItem } from '../../shared/console/people.ts'
import { serverClient } from '../bridge/clients.ts'
import { useChange } from '../components/change/use-change.ts'
import { ConfirmDialog } from '../components/dialog/confirm-dialog.tsx'
import type { PersonDialogProps } from './person-action.ts'
import { text } from './strings.ts'

/** Disables an account: it stays, and nobody can sign in to it. */
export function DisableDialog({ person, opened, onClose }: PersonDialogProps) {
  const { id, name, sessions, openLink } = person
  const disable = useChange(serverClient.people.setDisabled.mutate, {
    done: () => text.disable.done(name),
    failed: () => text.disable.failed(name),
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={text.disable.title(name)}
      action={text.disable.action}
      change={disable}
      onConfirm={() => disable.send({ id, disabled: true })}
    >
      {text.disable.effect(name, sessions, openLink !== null)}
    </ConfirmDialog>
  )
}

/** Enables an account that was disabled. */
export function EnableDialog({ person, opened, onClose }: PersonDialogProps) {
  const { id, name } = person
  const enable = useChange(serverClient.people.setDisabled.mutate, {
    done: () => text.enable.done(name),
    failed: () => text.enable.failed(name),
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={text.enable.title(name)}
      action={text.enable.action}
      destructive={false}
      change={enable}
      onConfirm={() => enable.send({ id, disabled: false })}
    >
      {text.enable.effect(name, rolesOf(person))}
    </ConfirmDialog>
  )
}

/** Deletes an account, after its name was typed. */
export function RemoveDialog({ person, opened, onClose }: PersonDialogProps) {
  const { id, name, sessions } = person
  const remove = useChange(serverClient.people.remove.mutate, {
    done: () => text.remove.done(name),
    failed: () => text.remove.failed(name),
    onAnswer: onClose,
  })
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={text.remove.title(name)}
      action={text.remove.action}
      typed={name}
      change={remove}
      onConfirm={() => remove.send({ id, confirmation: name })}
    >
      {text.remove.effect(name, rolesOf(person), sessions)}
    </ConfirmDialog>
  )
}

/** Turns off the second factor of somebody who has lost it. */
export function TwoFactorDialog({ person, opened, onClose }: PersonDialogProps) {
  const { id, name, passkeys } = person
  const reset = useChange(serverClient.people.resetTwoFactor.mutate, {
    done: () => text.twoFactorReset.done(name),
    failed: () => text.twoFactorReset.failed(name),
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={text.twoFactorReset.title(name)}
      action={text.twoFactorReset.action}
      change={reset}
      onConfirm={() => reset.send({ id })}
    >
      {text.twoFactorReset.effect(passkeys)}
    </ConfirmDialog>
  )
}

function rolesOf({ access }: PersonItem): number {
  return access.apps.length + (access.server === null ? 0 : 1)
}
