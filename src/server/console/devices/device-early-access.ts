import type { DeviceDetail } from '../../../shared/console/devices.ts'
import { OTHER } from '../../../shared/counting.ts'
import type { Snapshot } from '../../catalog/snapshot.ts'
import { earlyAccessOf } from '../../decision/early-access.ts'
import { parseVersion, UNKNOWN_VERSION } from '../../decision/version.ts'
import type { DeviceRecord } from '../../fleet/facts.ts'

/** Returns how a device is on the early access list of its channel; null if the channel was deleted. */
export function earlyAccessIn(
  { channelByKey }: Snapshot,
  { deviceId, profile, labels }: DeviceRecord,
): DeviceDetail['earlyAccess'] {
  const found = channelByKey.get(profile.channelKey)
  if (found === undefined) return null
  const { record, compiled } = found
  const by = earlyAccessOf(compiled.earlyAccess, {
    deviceId,
    version: profile.version === OTHER ? UNKNOWN_VERSION : parseVersion(profile.version),
    platform: profile.platform,
    arch: profile.arch,
    ...{ bundle: '', labels, manual: false },
  })
  return { by, requiresApproval: record.policy.requireApproval }
}
