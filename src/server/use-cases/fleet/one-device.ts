import { createHash } from 'node:crypto'
import type { DecisionNote } from '../../../shared/devices/explanation.ts'
import type { UpdaterClient } from '../../../shared/files/updater.ts'
import type { LabelMap } from '../../../shared/names.ts'
import { allSteps, heldBackNow } from '../../../shared/plans/plan-steps.ts'
import { readVersion } from '../../../shared/releases/version.ts'
import { type Actor, audit } from '../../catalog/audit-log.ts'
import { type Catalog, requireChannel } from '../../catalog/catalog.ts'
import { invalid, Refusal } from '../../catalog/errors.ts'
import type { AppRecord } from '../../catalog/records.ts'
import type { CatalogApp, CatalogChannel, Snapshot } from '../../catalog/snapshot.ts'
import { type AssumedFacts, factsOf } from '../../fleet/device-facts.ts'
import type { DeviceName, InstallProfile } from '../../fleet/facts.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import type { DeviceFacts } from '../../rules/decision/decide.ts'
import { versionOfBundle } from '../../rules/updaters/sparkle-build.ts'
import { findApp, type Principal } from '../principal.ts'
import { type ExplainedDecision, explainDecision } from './explanation.ts'

/**
 * Requests that a device be forgotten: stores a request that survives a restart, and its audit entry, in
 * one transaction. A running server carries it out within a second (`Erasures`).
 *
 * The entry names the device by the SHA-256 of its id, so that no stored data identifies the device,
 * but anyone who knows the id can find the entry.
 */
async function requestErasure(catalog: Catalog, actor: Actor, app: AppRecord, deviceId: string) {
  const before = { deviceIdSha256: createHash('sha256').update(deviceId).digest('hex') }
  await catalog.change(async (tx, at) => {
    await tx.requestErasure(app.key, deviceId)
    await audit(tx, at, actor, 'device.forgotten', { app: app.ref }, before, null)
  })
}

const HOUR = 3_600_000

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
  /** `version`: with the client `sparkle`, also a build number, as its feed takes it. */
  readonly assumed: AssumedFacts
  /** The updater that asks; by default, the app asks with the update check. */
  readonly client?: UpdaterClient | undefined
}

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

/** Decides as the device's check or feed would, and returns why. Changes nothing. Needs `viewer`. Throws `unknown` and `invalid`. */
export async function explainDevice(
  { catalog, findDevice }: ExplainParts,
  principal: Principal,
  { app: named, deviceId, channel: name, assumed, client }: ExplainQuery,
): Promise<DeviceExplanation | NotExplained> {
  const snapshot = await catalog.refresh()
  const app = findApp(snapshot, principal, named, 'viewer')
  const asked = name === undefined ? undefined : requireChannel(app, name)
  const device = await findDevice(app.record.key, deviceId)
  const channel = asked ?? channelOf(snapshot, app, device)
  const recorded = device && { ...device.profile, labels: device.labels }
  const version = assumed.version && versionMeant(channel, assumed.version, client)
  const facts = factsOf(deviceId, recorded, { ...assumed, version })
  if (facts === undefined) return { lacks: device === undefined ? 'device' : 'version' }
  if (channel === undefined) return { lacks: device === undefined ? 'device' : 'channel' }
  const explained = explainDecision(channel, facts, client)
  const notes = [...explained.notes, ...(await aboutHoldout(catalog, channel, explained))]
  return { channel, device, facts, explained: { ...explained, notes } }
}

/** The first release that is not offered because its plan holds the device back. */
async function aboutHoldout(
  { store }: Catalog,
  { compiled }: CatalogChannel,
  { candidates }: ExplainedDecision,
): Promise<DecisionNote[]> {
  const version = candidates.find(({ outcome }) => outcome === 'outside_cohort')?.version
  const release = compiled.releases.find(({ facts }) => facts.version === version)?.facts
  const plan = release && (await store.plan(release.id))
  if (release === undefined || plan === undefined) return []
  const percent = heldBackNow(plan)
  if (percent === undefined || release.rolloutPct !== 100 - percent) return []
  const soak = (allSteps(plan.plan)[plan.step - 1]?.soakHours ?? 0) * HOUR
  const isRunning = plan.status === 'running' && plan.soakSince !== null
  const until = isRunning ? new Date(Date.parse(plan.soakSince) + soak).toISOString() : null
  return [{ code: 'held_back', version: release.version, percent, until }]
}

function versionMeant(
  channel: CatalogChannel | undefined,
  given: string,
  client: UpdaterClient | undefined,
): string {
  const meant =
    client === 'sparkle' && channel !== undefined ? versionOfBundle(channel.compiled, given) : given
  const read = readVersion(meant)
  if (!read.ok) throw invalid({ path: ['version'], reason: read.reason })
  return read.version.text
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

export interface ForgetParts {
  readonly catalog: Catalog
  readonly findDevice: FindDevice
  /** Carries out what was requested, and resolves once none of the device's data is stored. */
  readonly carryOutErasure: (name: DeviceName) => Promise<void>
}

/**
 * Forgets a device, also of an archived app, and resolves once none of its data is stored. Needs the role
 * `administrator`. Throws `unknown` (app, device) and `forbidden`.
 */
export async function forgetDevice(
  { catalog, findDevice, carryOutErasure }: ForgetParts,
  principal: Principal,
  { app: named, deviceId }: { readonly app: string; readonly deviceId: string },
): Promise<{ readonly ref: string }> {
  const { record } = findApp(await catalog.refresh(), principal, named, 'administrator')
  if ((await findDevice(record.key, deviceId)) === undefined) {
    throw new Refusal({ code: 'unknown_device', app: record.ref, deviceId })
  }
  await requestErasure(catalog, principal.actor, record, deviceId)
  await carryOutErasure({ appKey: record.key, deviceId })
  return { ref: record.ref }
}
