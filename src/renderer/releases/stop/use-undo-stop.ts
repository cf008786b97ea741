import type { ReleasePlace } from '../../../shared/console/releases.ts'
import { serverClient } from '../../bridge/clients.ts'
import { useChange } from '../../components/change/use-change.ts'
import { text } from './strings.ts'

/** Takes a stop back, for as long as nothing else has changed. */
export function useUndoStop({ version }: ReleasePlace, onDone?: () => void) {
  return useChange(serverClient.releases.undoStop.mutate, {
    done: () => text.undone(version),
    failed: () => text.notUndone(version),
    ...(onDone === undefined ? {} : { onDone }),
  })
}
