import type { PersonItem } from '../../shared/console/people.ts'
import type { DialogProps } from '../components/dialog/dialog.tsx'

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
