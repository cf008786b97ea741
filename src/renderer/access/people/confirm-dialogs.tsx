import type { PersonItem } from '../../../shared/console/people/people.ts'
import { serverClient } from '../../bridge/clients.ts'
import type { DialogProps } from '../../components/dialog/dialog.tsx'
import { ChangeDialog } from '../../components/dialog/dialog-form.tsx'
import { text } from './strings.ts'

/** What is asked once before it is done to an account. */
export const CONFIRMED = ['twoFactor', 'disable', 'enable', 'remove'] as const

interface Props extends PersonDialogProps {
  readonly step: (typeof CONFIRMED)[number]
}

/**
 * Asks before the second factor of somebody who has lost it is turned off, before an account is disabled, which stays but lets
 * nobody sign in, or enabled, and before it is deleted, for which its name is typed.
 */
export function ConfirmedStep({ step, person, ...dialog }: Props) {
  const { id, name, sessions, openLink, passkeys, access } = person
  const roles = access.apps.length + (access.server === null ? 0 : 1)
  const { people } = serverClient
  const steps: Record<Props['step'], { effect: string; send: () => Promise<unknown> }> = {
    twoFactor: {
      effect: text.twoFactor.effect(passkeys),
      send: () => people.resetTwoFactor.mutate({ id }),
    },
    disable: {
      effect: text.disable.effect(name, sessions, openLink !== null),
      send: () => people.setDisabled.mutate({ id, disabled: true }),
    },
    enable: {
      effect: text.enable.effect(name, roles),
      send: () => people.setDisabled.mutate({ id, disabled: false }),
    },
    remove: {
      effect: text.remove.effect(name, roles, sessions),
      send: () => people.remove.mutate({ id, confirmation: name }),
    },
  }
  const { title, action, done, failed } = text[step]
  return (
    <ChangeDialog
      {...dialog}
      title={title(name)}
      action={action}
      destructive={step !== 'enable'}
      send={steps[step].send}
      done={done(name)}
      failed={failed(name)}
      {...(step === 'remove' && { typed: name, onAnswer: dialog.onClose })}
    >
      {steps[step].effect}
    </ChangeDialog>
  )
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
