import type { CheckIn, DeviceReport } from '../../../fleet/check-in.ts'
import { ProfileClaim } from '../../../fleet/profile-claim.ts'
import type { FleetMemory } from '../memory/fleet-memory.ts'

/** Returns a report as a check-in: fields that it leaves out are unchanged. */
export function completed(
  { appKey, deviceId, at, version, platform, arch, newOn }: DeviceReport,
  memory: Pick<FleetMemory, 'profileOf'>,
): CheckIn {
  const before = memory.profileOf(appKey, deviceId)
  const profile = new ProfileClaim(
    before?.channelKey ?? newOn,
    version,
    platform ?? before?.platform ?? '',
    arch ?? before?.arch ?? '',
  )
  return { appKey, deviceId, profile, at, source: 'report', reason: null }
}
