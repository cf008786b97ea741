import type { PersonItem } from '../../shared/console/people.ts'

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
export interface PersonDialogProps {
  readonly person: PersonItem
  readonly opened: boolean
  readonly onClose: () => void
}
