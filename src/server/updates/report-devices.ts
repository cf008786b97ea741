import type { z } from 'zod'
import { DEFAULT_CHANNEL } from '../../shared/channel.ts'
import type { ReportBody, ReportItem } from '../../shared/fleet.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { CatalogApp } from '../catalog/snapshot.ts'
import type { AppRecord } from '../catalog/store.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { ProfileClaim } from '../fleet/profile-claim.ts'
import { readItemLabels } from './item-labels.ts'
import { findApp, type Principal } from './principal.ts'

export interface ReportParts {
  readonly catalog: Catalog
  readonly fleet: Fleet
}

/**
 * Records what devices run on their behalf (docs/api.md, "Report fleet state"), and returns their app once
 * that is committed. Throws `unknown` (app), `invalid` (more labels than a device can hold) and `NotStored`.
 */
export async function reportDevices(
  { catalog, fleet }: ReportParts,
  principal: Principal,
  { app: named, devices }: z.output<typeof ReportBody>,
): Promise<AppRecord> {
  const app = findApp(await catalog.refresh(), principal, named)
  const appKey = app.record.key
  const labels = await readItemLabels(fleet, appKey, devices, () => false)
  fleet.recordAll(devices, (item, index) => ({
    appKey,
    deviceId: item.deviceId,
    profile: profileFor(fleet, app, item),
    source: 'report',
    reason: null,
    labels: labels[index]?.changed,
  }))
  await fleet.settled()
  return app.record
}

/** What a report leaves out stays as it was; a new device counts for the app's first channel. */
function profileFor(
  fleet: Fleet,
  app: CatalogApp,
  { deviceId, version, platform, arch }: ReportItem,
): ProfileClaim {
  const known = fleet.profileOf(app.record.key, deviceId)
  const channelKey = known?.channelKey ?? defaultChannel(app)
  return new ProfileClaim(
    channelKey,
    version,
    platform ?? known?.platform ?? '',
    arch ?? known?.arch ?? '',
  )
}

function defaultChannel(app: CatalogApp): number {
  const [oldest] = app.channels.values()
  const channel = app.channels.get(DEFAULT_CHANNEL) ?? oldest
  if (channel === undefined) throw new Error(`app ${app.record.ref} has no channel`)
  return channel.record.key
}
