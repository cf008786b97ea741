import { useBeforeUnload, useBlocker } from 'react-router'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'

interface Props {
  /** Asked at the moment of leaving. */
  readonly wouldLose: () => boolean
}

/** Asks before another screen is opened, or the window closes, while the form holds input. */
export function LeaveGuard({ wouldLose }: Props) {
  // The desktop app hears the objection and asks: a page cannot show a dialog while it is closed.
  useBeforeUnload((event) => {
    if (wouldLose()) event.preventDefault()
  })
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && wouldLose(),
  )
  return (
    <ConfirmDialog
      opened={blocker.state === 'blocked'}
      title="Leave without publishing"
      action="Discard the release"
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      What was filled in is kept nowhere. It will be gone when this screen is left.
    </ConfirmDialog>
  )
}
