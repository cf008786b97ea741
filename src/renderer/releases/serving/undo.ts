import type { Release } from '../../../shared/release.ts'
import { serverClient } from '../../bridge/clients.ts'
import { runChange } from '../../components/change/run-change.ts'
import { obstacleTo, type StepChange, stepInput } from './step.ts'
import { text } from './strings.ts'

/**
 * Returns the step that takes another one back, undefined where that is not safe: what devices were offered in
 * between cannot be taken back. `before` is the release as it was before the step.
 */
export function undoOf(before: Release, step: StepChange): StepChange | undefined {
  if (step.part === 'status' && step.status === 'paused') {
    return { part: 'status', status: before.status }
  }
  if (step.part === 'targets' && !before.offered)
    return { part: 'targets', targets: before.targets }
  return undefined
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
