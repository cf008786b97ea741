import type { ReactNode } from 'react'
import { useBeforeUnload, useBlocker } from 'react-router'
import { ConfirmDialog } from './confirm-dialog.tsx'

interface Props {
  /** Asked at the moment of leaving. */
  readonly wouldLose: () => boolean
  readonly title: string
  /** What the button says that leaves all the same. */
  readonly action: string
  /** What would be lost. */
  readonly children: ReactNode
}

/** Asks before another screen is opened, or the window closes, while something would be lost. */
export function LeaveGuard({ wouldLose, title, action, children }: Props) {
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
      title={title}
      action={action}
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      {children}
    </ConfirmDialog>
  )
}
