import { canonicalArch, canonicalPlatform } from '../../../shared/devices/aliases.ts'
import type { CandidateTrace } from '../../../shared/devices/explanation.ts'
import type { Artifact } from '../../../shared/releases/release.ts'
import { admissionTo } from './admission.ts'
import { kindsFor } from './artifacts.ts'
import { type CompiledChannel, type CompiledRelease, offeredPct } from './channel.ts'
import { cohortBucket, inCohort } from './cohort.ts'
import { type DeviceFacts, systemOf } from './device.ts'
import { failedCondition } from './targets.ts'

/** Why a candidate was skipped. */
export type Obstacle = 'no_artifact' | 'system_too_old' | 'not_targeted' | 'outside_cohort'

/** Returns why a candidate came to its outcome. Decides nothing: the outcome is given. */
export function traceCandidate(
  channel: CompiledChannel,
  release: CompiledRelease,
  device: DeviceFacts,
  outcome: Obstacle | 'offered',
  artifact: Artifact | undefined,
): CandidateTrace {
  const version = release.version.text
  switch (outcome) {
    case 'no_artifact': {
      const { platform, arch, bundle } = device
      const names = [canonicalPlatform(platform), canonicalArch(arch)] as const
      const kinds = [...kindsFor(release.artifacts, ...names)]
      return { outcome, version, platform, arch, bundle, kinds }
    }
    case 'system_too_old': {
      const { minimumSystemVersion: floor = '' } = artifact ?? {}
      return { outcome, version, platform: device.platform, floor, system: systemOf(device) ?? '' }
    }
    case 'not_targeted': {
      const condition = release.targets && failedCondition(release.targets, device)
      if (!condition) throw new Error(`the targets of ${version} match, but it was passed over`)
      return { outcome, version, condition }
    }
    case 'outside_cohort':
    case 'offered':
      return { outcome, version, rollout: rolloutOf(channel, release, device) }
  }
}

/** Returns why the updater of a device would not take an update. */
export function traceNotTaken(
  { takes }: DeviceFacts,
  { version }: CompiledRelease,
): CandidateTrace {
  const compared = takes?.nameOf(version) ?? ''
  return { outcome: 'not_taken', version: version.text, compared, running: takes?.running ?? '' }
}

function rolloutOf(channel: CompiledChannel, { facts }: CompiledRelease, device: DeviceFacts) {
  const { id, rolloutPct } = facts
  const { deviceId } = device
  const offered = offeredPct(facts)
  const counts = offered < 100 && deviceId !== null
  const isIn = inCohort(id, deviceId, offered)
  return {
    percent: rolloutPct,
    ...(!isIn && inCohort(id, deviceId, rolloutPct) ? { waits: true as const } : {}),
    bucket: counts ? cohortBucket(id, deviceId) : null,
    admission: isIn ? null : admissionTo(channel, rolloutPct, device),
  }
}
