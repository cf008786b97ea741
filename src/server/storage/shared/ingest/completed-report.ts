import type { CheckIn, DeviceReport } from '../../../fleet/check-in.ts'
import type { InstallProfile } from '../../../fleet/facts.ts'
import { ProfileClaim } from '../../../fleet/profile-claim.ts'

interface KnownDevices {
  /** The profile of a device; undefined if it is unknown. */
  profileOf(appKey: number, deviceId: string): InstallProfile | undefined
}

/** Returns a report as a check-in: fields that it leaves out are unchanged. */
export function completed(
  { appKey, deviceId, at, version, platform, arch, newOn }: DeviceReport,
  memory: KnownDevices,
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
