import {
  CHECK_INS_PER_PAGE,
  type DeviceCheckIn,
  type DeviceCheckIns,
  type DeviceDetail,
  type DevicePlace,
  type DeviceProfile,
} from '../../../shared/console/devices.ts'
import { OTHER } from '../../../shared/devices/counting.ts'
import { Refusal } from '../../catalog/errors.ts'
import type { Snapshot } from '../../catalog/snapshot.ts'
import type { DeviceName, DeviceRecord, InstallProfile, LoggedCheckIn } from '../../fleet/facts.ts'
import { earlyAccessOf } from '../../rules/decision/early-access.ts'
import { parseVersion, UNKNOWN_VERSION } from '../../rules/decision/version.ts'
import { findApp } from '../../use-cases/principal.ts'
import type { ConsoleContext } from '../context.ts'
import { channelName } from './device-list.ts'

/** Most profiles that a device's history shows. */
const MAX_HISTORY = 50

/** A profile that is no longer known. */
const UNKNOWN = { channel: null, version: null, platform: '', arch: '' } as const

/** Returns a device as it is now, what it ran before, and when. Throws the refusal `unknown`. */
export async function deviceDetail(ctx: ConsoleContext, place: DevicePlace): Promise<DeviceDetail> {
  const { fleet } = ctx
  const { snapshot, name } = await findDevice(ctx, place)
  const [device, changes] = await Promise.all([
    fleet.device(name.appKey, name.deviceId),
    fleet.history(name, MAX_HISTORY + 1),
  ])
  if (device === undefined) throw unknownDevice(place)
  const history = changes.map(({ at, profile }) => {
    const shown = profile === null ? UNKNOWN : showProfile(snapshot, profile)
    return { ...shown, at: timestamp(at) }
  })
  return {
    ...place,
    ...showProfile(snapshot, device.profile),
    firstSeen: timestamp(device.firstSeen),
    lastSeen: timestamp(device.lastSeen),
    labels: { ...device.labels },
    history: history.slice(0, MAX_HISTORY),
    moreHistory: changes.length > MAX_HISTORY,
    keepCheckInDays: ctx.settings.retention.keepCheckInDays,
    earlyAccess: earlyAccessIn(snapshot, device),
  }
}

/** Returns check-ins of a device, latest first, starting at the id `from` or the latest. Throws `unknown`. */
export async function deviceCheckIns(
  ctx: ConsoleContext,
  { from, ...place }: DevicePlace & { from?: number | undefined },
): Promise<DeviceCheckIns> {
  const { snapshot, name } = await findDevice(ctx, place)
  const read = await ctx.fleet.checkIns(name, from, CHECK_INS_PER_PAGE + 1)
  return {
    checkIns: read.slice(0, CHECK_INS_PER_PAGE).map((checkIn) => showCheckIn(snapshot, checkIn)),
    older: read[CHECK_INS_PER_PAGE]?.id ?? null,
  }
}

/** Finds a device that the caller sees. Throws the refusal `unknown`. */
export async function findDevice(
  { catalog, fleet, principal }: ConsoleContext,
  place: DevicePlace,
): Promise<{ snapshot: Snapshot; name: DeviceName }> {
  const snapshot = await catalog.refresh()
  const name = {
    appKey: findApp(snapshot, principal, place.app, 'viewer').record.key,
    deviceId: place.deviceId,
  }
  const [profile] = await fleet.profilesOf(name.appKey, [name.deviceId])
  if (profile === undefined) throw unknownDevice(place)
  return { snapshot, name }
}

function unknownDevice({ app, deviceId }: DevicePlace): Refusal {
  return new Refusal({ code: 'unknown_device', app, deviceId })
}

function showProfile(
  snapshot: Snapshot,
  { channelKey, version, platform, arch }: InstallProfile,
): DeviceProfile {
  return { channel: channelName(snapshot, channelKey), version, platform, arch }
}

function showCheckIn(
  snapshot: Snapshot,
  { id, at, source, reason, outcome, profile }: LoggedCheckIn,
): DeviceCheckIn {
  return {
    id,
    at: timestamp(at),
    ...{ source, reason, outcome },
    channel: profile === null ? null : channelName(snapshot, profile.channelKey),
    version: profile?.version ?? null,
  }
}

/** Returns a time in Unix milliseconds as ISO 8601. */
export function timestamp(at: number): string {
  return new Date(at).toISOString()
}

/** Returns how a device is on the early access list of its channel; null if the channel was deleted. */
function earlyAccessIn(
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
