import type { z } from 'zod'
import type { ReportBody, ReportItem } from '../../../shared/devices/fleet.ts'
import type { OutcomeBody } from '../../../shared/health/health.ts'
import { DEFAULT_CHANNEL } from '../../../shared/releases/channel.ts'
import {
  type Catalog,
  findServed,
  releaseOn,
  requireApp,
  requireChannel,
} from '../../catalog/catalog.ts'
import type { AppRecord } from '../../catalog/records.ts'
import type { CatalogApp } from '../../catalog/snapshot.ts'
import type { OutcomeReport } from '../../fleet/check-in.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { type ChannelPlace, findApp, type Principal } from '../principal.ts'
import { labelDeltasOf, readItemLabels } from './item-labels.ts'

export interface ReportParts {
  readonly catalog: Catalog
  readonly fleet: Fleet
}

/**
 * Records what devices run on their behalf (docs/api.md, "Report fleet state"), and returns their app once
 * that is committed. Needs the role `release_manager`. Throws `unknown` (app), `forbidden`, `invalid` (more labels than a device can hold) and `NotStored`.
 */
export function reportDevices(
  parts: ReportParts,
  principal: Principal,
  body: z.output<typeof ReportBody>,
): Promise<AppRecord> {
  // A function that awaits the commit keeps its arguments until then, and 500 devices kept so cost a full collection.
  return recordReports(parts, principal, body).then(async ({ app, committed }) => {
    await committed
    return app
  })
}

async function recordReports(
  { catalog, fleet }: ReportParts,
  principal: Principal,
  { app: named, devices }: z.output<typeof ReportBody>,
): Promise<{ readonly app: AppRecord; readonly committed: Promise<void> }> {
  const app = findApp(await catalog.refresh(), principal, named, 'release_manager')
  const appKey = app.record.key
  const labels = await readItemLabels(fleet, appKey, devices, () => false)
  const at = catalog.now()
  const newOn = defaultChannel(app)
  const outcomes = await outcomesOf(fleet, app, devices, at)
  const committed = fleet.commit({
    checkIns: [],
    reports: devices.map(({ deviceId, version, platform, arch }) => {
      return { appKey, deviceId, at, version, platform, arch, newOn }
    }),
    outcomes,
    labelDeltas: labelDeltasOf(appKey, at, devices, labels),
  })
  return { app: app.record, committed }
}

/** Those of releases of the channel that the device is on. The others count for nothing. */
async function outcomesOf(
  fleet: Fleet,
  app: CatalogApp,
  devices: readonly ReportItem[],
  at: number,
): Promise<OutcomeReport[]> {
  const { key: appKey } = app.record
  const reporting = devices.filter(({ outcome }) => outcome !== undefined)
  if (reporting.length === 0) return []
  const profiles = await fleet.profilesOf(
    appKey,
    reporting.map(({ deviceId }) => deviceId),
  )
  const channels = new Map(
    [...app.channels.values()].map((channel) => [channel.record.key, channel]),
  )
  return reporting.flatMap(({ deviceId, outcome: reported }, index) => {
    const channelKey = profiles[index]?.channelKey
    const channel = channelKey === undefined ? undefined : channels.get(channelKey)
    if (reported === undefined || channel === undefined) return []
    const { version, outcome, detail } = reported
    const releaseId = releaseOn(channel, version)?.facts.id
    if (releaseId === undefined) return []
    return [{ appKey, deviceId, channelKey: channel.record.key, releaseId, at, outcome, detail }]
  })
}

/** A new device counts for the app's first channel. */
function defaultChannel(app: CatalogApp): number {
  const [oldest] = app.channels.values()
  const channel = app.channels.get(DEFAULT_CHANNEL) ?? oldest
  if (channel === undefined) throw new Error(`app ${app.record.ref} has no channel`)
  return channel.record.key
}

/** What an app reports, without a key. */
export interface DeviceOutcome extends ChannelPlace, OutcomeBody {
  readonly deviceId: string
  /** Address key of the caller, for the budgets. */
  readonly caller: string
}

/**
 * Records what an app reports of an update (docs/api.md, "Report the outcome of an update"), for a known device that was last
 * offered it. The rest is ignored without a sign. Throws `unknown` (app, channel).
 */
export async function reportOutcome(
  { catalog, fleet }: ReportParts,
  { app, channel: name, version, outcome, detail, deviceId, caller }: DeviceOutcome,
): Promise<void> {
  const channel = await findServed(catalog, (snapshot) =>
    requireChannel(requireApp(snapshot, app), name),
  )
  const release = releaseOn(channel, version)
  if (release === undefined) return
  const { key: appKey } = channel.app
  const { id: releaseId, channelKey } = release.facts
  const at = catalog.now()
  fleet.recordOutcome({ appKey, deviceId, channelKey, releaseId, at, outcome, detail, caller })
}
