import type { CompiledRelease } from './channel.ts'
import { cohortBucket } from './cohort.ts'
import type { DeviceFacts } from './device.ts'
import { explainMismatch } from './targets.ts'

/** Why a candidate was passed over. */
export type Obstacle = 'no_artifact' | 'not_targeted' | 'outside_cohort'

/** What became of one candidate, for people to read. */
export interface TraceLine {
  /** Canonical version of the candidate. */
  readonly version: string
  readonly outcome: 'offered' | Obstacle
  /** Half a sentence, such as `bucket 0.4213 is not below 25 %`. */
  readonly detail: string
}

/** Puts into words what became of a candidate. Decides nothing: the outcome is given. */
export function traceLine(
  release: CompiledRelease,
  device: DeviceFacts,
  outcome: TraceLine['outcome'],
): TraceLine {
  return { version: release.version.text, outcome, detail: detailOf(release, device, outcome) }
}

function detailOf(
  release: CompiledRelease,
  device: DeviceFacts,
  outcome: TraceLine['outcome'],
): string {
  switch (outcome) {
    case 'no_artifact':
      return `no artifact for ${device.platform} ${device.arch}`
    case 'not_targeted':
      return (
        (release.targets && explainMismatch(release.targets, device)) ?? 'the targets do not match'
      )
    case 'outside_cohort':
    case 'offered':
      return cohortDetail(release, device.deviceId, outcome === 'offered' ? 'is' : 'is not')
  }
}

function cohortDetail({ facts }: CompiledRelease, deviceId: string | null, is: string): string {
  const { id, rolloutPct } = facts
  if (rolloutPct === 100) return 'the rollout is at 100 %'
  if (deviceId === null) return `the rollout is at ${rolloutPct} %, and the device has no id`
  // Cut off, not rounded: 0.24999 must not read as if it were not below 25 %.
  const bucket = Math.floor(cohortBucket(id, deviceId) * 10_000) / 10_000
  return `bucket ${bucket.toFixed(4)} ${is} below ${rolloutPct} %`
}
