import { Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { newId } from '../../../shared/basics/new-id.ts'
import type { Release } from '../../../shared/releases/release.ts'
import { serverClient } from '../../bridge/clients.ts'
import { PlainButton } from '../../components/blocks.tsx'
import { runChange } from '../../components/change/announce.ts'
import { obstacleTo, type StepChange, stepInput } from './step.ts'
import { text } from './strings.ts'

/** Milliseconds that a step can be undone from its announcement. */
const UNDO_TIME = 10_000

/** Announces that something was done, with a button that undoes it. */
export function announceUndo(message: string, onUndo: () => Promise<void>): void {
  const id = newId()
  const undo = () => {
    notifications.hide(id)
    void onUndo()
  }
  notifications.show({
    id,
    color: 'tide',
    autoClose: UNDO_TIME,
    withBorder: true,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{message}</Text>
        <PlainButton size="compact-sm" flex="none" onClick={undo}>
          {text.undo}
        </PlainButton>
      </Group>
    ),
  })
}

/**
 * Returns the step that takes another one back, undefined where that is not safe: what devices were offered in
 * between cannot be taken back. `before` is the release as it was before the step.
 */
export function undoOf(before: Release, step: StepChange): StepChange | undefined {
  const isUndoable = step.part === 'targets' && !before.offered
  return isUndoable ? { part: 'targets', targets: before.targets } : undefined
}

/** Takes a step back, unless somebody has changed the same part of the release since. Announces the outcome. */
export async function undoStep(before: Release, step: StepChange, undo: StepChange): Promise<void> {
  const { app, channel, version } = before
  const call = async () => {
    const { release, lastChange } = await serverClient.releases.get.query({ app, channel, version })
    // The step is still what is stored, and nobody was offered anything by it.
    const isUntouched =
      obstacleTo(release, undefined, step)?.startsWith('same_') === true &&
      (undo.part !== 'targets' || !release.offered)
    if (!isUntouched) throw new Error(text.changedSince(version))
    await serverClient.releases.changeServing.mutate(
      stepInput(release, { ...undo, seenChange: lastChange }),
    )
  }
  await runChange(call, { done: text.undone(version), failed: text.notUndone })
}
