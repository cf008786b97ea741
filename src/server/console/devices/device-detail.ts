import {
  CHECK_INS_PER_PAGE,
  type DeviceCheckIn,
  type DeviceCheckIns,
  type DeviceDetail,
  type DevicePlace,
  type DeviceProfile,
} from '../../../shared/console/devices.ts'
import { Refusal } from '../../catalog/errors.ts'
import type { Snapshot } from '../../catalog/snapshot.ts'
import type { ReadCheckIn } from '../../fleet/devices/device-history.ts'
import type { KnownDevice } from '../../fleet/fleet.ts'
import { readKind } from '../../fleet/ingest/check-in.ts'
import type { InstallProfile } from '../../fleet/store.ts'
import { findApp } from '../../updates/principal.ts'
import type { ConsoleContext } from '../context.ts'
import { channelName } from './device-list.ts'

/** Most profiles that a device's history shows. */
const MAX_HISTORY = 50

/** A profile that is gone: its channel was removed, or it was unreleased and unused. */
const UNKNOWN = { channel: null, version: null, platform: '', arch: '' } as const

/** A device as it is now, what it ran before, and when. Throws the refusal `unknown`. */
export async function deviceDetail(ctx: ConsoleContext, place: DevicePlace): Promise<DeviceDetail> {
  const { fleet, fleetStore, keepCheckInDays } = ctx
  const { snapshot, appKey, known } = await findDevice(ctx, place)
  const [stored, changes, [labels = {}]] = await Promise.all([
    fleetStore.read('storedDevice', known.device),
    fleetStore.read('deviceChanges', known.device, known.lastChange, MAX_HISTORY + 1),
    fleet.labelsOf(appKey, [place.deviceId]),
  ])
  const history = changes.map(({ at, profile }) => {
    const installed = fleet.profile(profile)
    const shown = installed === undefined ? UNKNOWN : showProfile(snapshot, installed)
    return { ...shown, at: timestamp(at) }
  })
  return {
    ...place,
    ...showProfile(snapshot, known.profile),
    // A device that came this moment may wait to be written.
    firstSeen: timestamp(stored?.firstSeen ?? known.lastSeen),
    lastSeen: timestamp(known.lastSeen),
    labels: { ...labels },
    history: history.slice(0, MAX_HISTORY),
    moreHistory: changes.length > MAX_HISTORY,
    keepCheckInDays,
  }
}

/** Check-ins of a device, newest first, from `from` on or from the newest. Throws `unknown`. */
export async function deviceCheckIns(
  ctx: ConsoleContext,
  { from, ...place }: DevicePlace & { from?: number | undefined },
): Promise<DeviceCheckIns> {
  const { fleet, fleetStore } = ctx
  const { snapshot, known } = await findDevice(ctx, place)
  const start = from ?? known.lastCheckIn
  const read = await fleetStore.read('deviceCheckIns', known.device, start, CHECK_INS_PER_PAGE + 1)
  return {
    checkIns: read
      .slice(0, CHECK_INS_PER_PAGE)
      .map((checkIn) => showCheckIn(snapshot, checkIn, fleet.profile(checkIn.profile))),
    older: read[CHECK_INS_PER_PAGE]?.id ?? null,
  }
}

/** The device as it is in memory, once what is known of it now is committed, or cannot be. */
export async function findDevice(
  { catalog, fleet, principal }: ConsoleContext,
  { app, deviceId }: DevicePlace,
): Promise<{ snapshot: Snapshot; appKey: number; known: KnownDevice }> {
  const snapshot = await catalog.refresh()
  const appKey = findApp(snapshot, principal, app).record.key
  const known = fleet.known(appKey, deviceId)
  if (known === undefined) {
    throw new Refusal({ code: 'unknown_device', app, deviceId })
  }
  await fleet.settled().catch(() => {})
  return { snapshot, appKey, known }
}

function showProfile(
  snapshot: Snapshot,
  { channelKey, version, platform, arch }: InstallProfile,
): DeviceProfile {
  return { channel: channelName(snapshot, channelKey), version, platform, arch }
}

function showCheckIn(
  snapshot: Snapshot,
  { id, at, kind }: ReadCheckIn,
  profile: InstallProfile | undefined,
): DeviceCheckIn {
  return {
    id,
    at: timestamp(at),
    ...readKind(kind),
    channel: profile === undefined ? null : channelName(snapshot, profile.channelKey),
    version: profile?.version ?? null,
  }
}

function timestamp(at: number): string {
  return new Date(at).toISOString()
}
