import type { StagedManifest } from '../../../shared/wording/artifacts.ts'
import { UsageError } from '../errors.ts'
import { percentage } from '../options.ts'
import { text } from '../strings/publish.ts'

/** The rollout that `--rollout` names: a percentage, or that of the manifests. */
export type RolloutOption = number | 'manifest'

export function readRolloutOption(typed: string): RolloutOption {
  return typed === 'manifest' ? 'manifest' : percentage(typed)
}

/**
 * Returns the rollout of a release, undefined where nothing names one, and the manifests whose percentage is ignored. `staged` are the manifests
 * with a `stagingPercentage`, which is not served: devices would be drawn twice. It becomes the rollout only if the
 * publisher says so. `isLater`: a plan or a later command decides. Throws `UsageError` where the publisher has to choose.
 */
export function rolloutOf(
  given: RolloutOption | undefined,
  staged: readonly StagedManifest[],
  isLater: boolean,
): { readonly rolloutPct: number | undefined; readonly ignored: readonly StagedManifest[] } {
  const fraction = staged.find(({ percentage }) => !Number.isInteger(percentage))
  if (fraction !== undefined && typeof given !== 'number') {
    throw new UsageError(text.fractionStaged(fraction))
  }
  if (given === 'manifest') {
    const [first, ...others] = staged
    if (first === undefined) throw new UsageError(text.notStaged)
    const other = others.find(({ percentage }) => percentage !== first.percentage)
    if (other !== undefined) throw new UsageError(text.stagedOtherwise(first, other))
    return { rolloutPct: first.percentage, ignored: [] }
  }
  const ignored = staged.filter((each) => each.percentage !== (given ?? 100))
  const [first] = ignored
  if (first !== undefined && given === undefined && !isLater) {
    throw new UsageError(text.chooseRollout(first))
  }
  return { rolloutPct: given, ignored }
}
