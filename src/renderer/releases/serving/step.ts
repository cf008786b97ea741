import type { ApplyServingInput } from '../../../shared/console/releases/releases.ts'
import type { Release, ReleaseStatus } from '../../../shared/releases/release.ts'
import type { Targets } from '../../../shared/releases/targets.ts'

/** What a step changes about how a release is served. */
export type StepChange =
  | { readonly part: 'rollout'; readonly rolloutPct: number }
  | { readonly part: 'targets'; readonly targets: Targets }
  // A pause is no step: it is not asked about.
  | { readonly part: 'status'; readonly status: Exclude<ReleaseStatus, 'paused'> }

/** One step in the serving of a release, and the revision that it was decided on. */
export type ServingStep = StepChange & { readonly seenChange: number }

/** Why nothing about the serving of a release can change, at all or by this person. */
export type Standstill = 'deleted' | 'archived' | 'rolled_back' | 'not_permitted'

/** Why a step cannot be taken in the state that the release is in by now. */
export type StepObstacle =
  | Standstill
  | 'same_rollout'
  | 'same_status'
  | 'same_targets'
  | 'rollout_offered'

/** Returns the step as the server takes it. */
export function stepInput(release: Release, step: ServingStep): ApplyServingInput {
  const { app, channel, version } = release
  const { part: _, ...change } = step
  return { app, channel, version, ...change }
}

/** Returns what keeps a step from being taken; undefined for nothing that is known here. */
export function obstacleTo(
  release: Release,
  standstill: Standstill | undefined,
  step: StepChange,
): StepObstacle | undefined {
  if (standstill !== undefined) return standstill
  if (step.part === 'status') return step.status === release.status ? 'same_status' : undefined
  if (step.part === 'targets') {
    const isSame = JSON.stringify(step.targets) === JSON.stringify(release.targets)
    return isSame ? 'same_targets' : undefined
  }
  if (step.rolloutPct === release.rolloutPct) return 'same_rollout'
  return step.rolloutPct < lowestRollout(release) ? 'rollout_offered' : undefined
}

/** Returns the lowest percentage that the rollout can have: once offered it only grows. */
export function lowestRollout({ offered, rolloutPct }: Release): number {
  return offered ? rolloutPct : 0
}
