import type { PersonItem } from '../../shared/console/people.ts'
import { useLast } from '../components/dialog/dialog.tsx'
import { DisableDialog, EnableDialog, RemoveDialog, TwoFactorDialog } from './confirm-dialogs.tsx'
import { EmailDialog } from './email-dialog.tsx'
import { LinkDialog } from './link-dialog.tsx'
import type { PersonAction, PersonDialogProps } from './person-action.ts'
import { RolesDialog } from './roles-dialog.tsx'
import { SessionsDialog } from './sessions-dialog.tsx'

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
