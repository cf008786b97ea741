import type { CandidateTrace } from '../../shared/explanation.ts'
import type { CompiledRelease } from './channel.ts'
import { cohortBucket } from './cohort.ts'
import type { DeviceFacts } from './device.ts'
import { failedCondition } from './targets.ts'

/** Why a candidate was skipped. */
export type Obstacle = 'no_artifact' | 'not_targeted' | 'outside_cohort'

/** Returns why a candidate came to its outcome. Decides nothing: the outcome is given. */
export function traceCandidate(
  release: CompiledRelease,
  device: DeviceFacts,
  outcome: CandidateTrace['outcome'],
): CandidateTrace {
  const version = release.version.text
  switch (outcome) {
    case 'no_artifact':
      return { outcome, version, platform: device.platform, arch: device.arch }
    case 'not_targeted': {
      const condition = release.targets && failedCondition(release.targets, device)
      if (!condition) throw new Error(`the targets of ${version} match, but it was passed over`)
      return { outcome, version, condition }
    }
    case 'outside_cohort':
    case 'offered':
      return { outcome, version, rollout: rolloutOf(release, device.deviceId) }
  }
}

function rolloutOf({ facts: { id, rolloutPct } }: CompiledRelease, deviceId: string | null) {
  const counts = rolloutPct < 100 && deviceId !== null
  return { percent: rolloutPct, bucket: counts ? cohortBucket(id, deviceId) : null }
}
