import type { LabelMap } from '../../../shared/names.ts'
import { type Catalog, requireChannel } from '../../catalog/catalog.ts'
import type { CatalogApp, CatalogChannel, Snapshot } from '../../catalog/snapshot.ts'
import type { DeviceFacts } from '../../decision/decide.ts'
import { type AssumedFacts, factsOf } from '../../fleet/device-facts.ts'
import type { InstallProfile } from '../../fleet/facts.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { findApp, type Principal } from '../principal.ts'
import { type ExplainedDecision, explainDecision } from './explanation.ts'

/** What is recorded of a device. */
export interface RecordedDevice {
  readonly profile: InstallProfile
  readonly labels: LabelMap
}

/** Finds what is recorded of a device, undefined if nothing is. */
export type FindDevice = (appKey: number, deviceId: string) => Promise<RecordedDevice | undefined>

export interface ExplainParts {
  readonly catalog: Catalog
  readonly findDevice: FindDevice
}

/** Which device, and what is assumed of it in place of what is recorded. */
export interface ExplainQuery {
  readonly app: string
  readonly deviceId: string
  /** By default the channel on which it last checked in. */
  readonly channel?: string | undefined
  readonly assumed: AssumedFacts
}

/** Why a device gets what it gets. */
export interface DeviceExplanation {
  readonly channel: CatalogChannel
  /** undefined for a device that is not recorded: all of its facts are assumed. */
  readonly device: RecordedDevice | undefined
  readonly facts: DeviceFacts
  readonly explained: ExplainedDecision
}

/** What must be assumed before a decision can be made. */
export interface NotExplained {
  readonly lacks: 'device' | 'version' | 'channel'
}

/**
 * Decides as an update check of the device would now, and returns why. Changes nothing, and the device does
 * not count as checked in. Needs the role `viewer`. Throws `unknown` (app, channel).
 */
export async function explainDevice(
  { catalog, findDevice }: ExplainParts,
  principal: Principal,
  { app: named, deviceId, channel: name, assumed }: ExplainQuery,
): Promise<DeviceExplanation | NotExplained> {
  const snapshot = await catalog.refresh()
  const app = findApp(snapshot, principal, named, 'viewer')
  const asked = name === undefined ? undefined : requireChannel(app, name)
  const device = await findDevice(app.record.key, deviceId)
  const facts = factsOf(deviceId, device && { ...device.profile, labels: device.labels }, assumed)
  if (facts === undefined) return { lacks: device === undefined ? 'device' : 'version' }
  const channel = asked ?? channelOf(snapshot, app, device)
  if (channel === undefined) return { lacks: device === undefined ? 'device' : 'channel' }
  return { channel, device, facts, explained: explainDecision(channel, facts) }
}

/** Returns the lookup of devices in a fleet in memory. */
export function devicesOf(fleet: Fleet): FindDevice {
  return async (appKey, deviceId) => {
    const [profile] = await fleet.profilesOf(appKey, [deviceId])
    if (profile === undefined) return undefined
    const [labels = {}] = await fleet.labelsOf(appKey, [deviceId])
    return { profile, labels }
  }
}

/** The channel that the device last checked in on; undefined if it was removed. */
function channelOf(
  { channelByKey }: Snapshot,
  { record }: CatalogApp,
  device: RecordedDevice | undefined,
): CatalogChannel | undefined {
  const channel = device && channelByKey.get(device.profile.channelKey)
  return channel?.app.key === record.key ? channel : undefined
}
