import { IconHandStop } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import type { ReleasePlace } from '../../../shared/console/releases/releases.ts'
import { useAccess } from '../../bridge/access.ts'
import { serverClient } from '../../bridge/clients.ts'
import { listeners } from '../../bridge/listeners.ts'
import { SmallButton } from '../../components/blocks.tsx'
import { useChange } from '../../components/change/use-change.ts'
import { text } from './strings.ts'

/** A release that somebody stops. Every stop has a number of its own. */
export interface StopQuestion {
  readonly number: number
  readonly place: ReleasePlace
}

let current: StopQuestion | undefined
let last = 0
const { listen, tell } = listeners()

/** Stops a release at once, and opens the dialog that says so. */
export function stopRelease({ app, channel, version }: ReleasePlace): void {
  last += 1
  set({ number: last, place: { app, channel, version } })
}

/** Closes that dialog. */
export function closeStop(): void {
  set(undefined)
}

/** Returns what is being stopped, or was and is still shown. */
export function useStopQuestion(): StopQuestion | undefined {
  return useSyncExternalStore(listen, () => current)
}

function set(next: StopQuestion | undefined): void {
  current = next
  tell()
}

/** Takes a stop back, for as long as nothing else has changed. Where no dialog shows why it failed, that is announced. */
export function useUndoStop({ version }: ReleasePlace, onDone?: () => void) {
  return useChange(serverClient.releases.undoStop.mutate, {
    done: text.undone(version),
    failed: text.notUndone(version),
    onDone,
    announcesFailure: onDone === undefined,
  })
}

interface Props {
  readonly release: ReleasePlace
  /** True where the release is not named beside it. */
  readonly isNamed?: boolean
}

/** Stops a release in one step; nothing for who may not. */
export function StopButton({ release, isNamed = false }: Props) {
  const { app, channel, version } = release
  const { may } = useAccess()
  if (!may('release_manager', app)) return null
  return (
    <SmallButton
      {...(isNamed ? { variant: 'light', color: 'red' } : { c: 'var(--tidegate-bad)' })}
      icon={IconHandStop}
      aria-label={isNamed ? text.title(version) : text.stopLabel(version, `${app}/${channel}`)}
      onClick={() => stopRelease(release)}
    >
      {isNamed ? text.title(version) : text.stop}
    </SmallButton>
  )
}
