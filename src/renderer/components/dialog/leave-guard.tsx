import { type ReactNode, useEffect, useState } from 'react'
import { useBeforeUnload, useBlocker } from 'react-router'
import { announce } from '../change/announce.ts'
import { ConfirmDialog } from './dialog-form.tsx'

interface Props {
  /** Asked at the moment of leaving. */
  readonly wouldLose: () => boolean
  readonly title: string
  /** What the button says that leaves all the same. */
  readonly action: string
  /** Returns why the screen cannot be left now, undefined while it can. Asked at the moment of leaving. */
  readonly refusal?: () => string | undefined
  /** What would be lost. */
  readonly children: ReactNode
}

/** Asks before another screen is opened, or the window closes, while something would be lost. */
export function LeaveGuard({ wouldLose, title, action, refusal = never, children }: Props) {
  const { blocker, asks } = useLeaveBlocker(wouldLose, refusal)
  return (
    <ConfirmDialog
      opened={asks}
      title={title}
      action={action}
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      {children}
    </ConfirmDialog>
  )
}

/** Stays on the screen while there is a `refusal`, and says why. The window asks before it closes. */
export function StayGuard({ refusal }: { readonly refusal: string | undefined }) {
  useLeaveBlocker(
    () => false,
    () => refusal,
  )
  return null
}

const never = () => undefined

/** Holds the screen. `asks` is true while the person is to decide whether to leave it. */
function useLeaveBlocker(wouldLose: () => boolean, refusal: () => string | undefined) {
  const [refused, setRefused] = useState<string>()
  const holds = () => refusal() !== undefined || wouldLose()
  // The desktop app hears the objection and asks: a page cannot show a dialog while it is closed.
  useBeforeUnload((event) => {
    if (holds()) event.preventDefault()
  })
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    if (currentLocation.pathname === nextLocation.pathname || !holds()) return false
    setRefused(refusal())
    return true
  })
  const isBlocked = blocker.state === 'blocked'
  useEffect(() => {
    if (!isBlocked || refused === undefined) return
    blocker.reset?.()
    announce(refused)
  }, [isBlocked, refused, blocker])
  return { blocker, asks: isBlocked && refused === undefined }
}
