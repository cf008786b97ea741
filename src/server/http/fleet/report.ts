import type { RequestHandler } from 'express'
import { DEFAULT_CHANNEL } from '../../../shared/channel.ts'
import { ReportBody, type ReportItem } from '../../../shared/fleet.ts'
import type { CatalogApp } from '../../catalog/snapshot.ts'
import { ProfileClaim } from '../../fleet/profiles/profile-claim.ts'
import { readItemLabels } from '../../updates/item-labels.ts'
import type { ApiContext } from '../context.ts'
import { appOf } from '../request/auth.ts'
import { isPlainReportItem, parseFleetBody } from './fleet-body.ts'

/** `POST /api/v1/fleet/report`: heartbeats on the devices' behalf, answered once committed. */
export function reportState({ catalog, fleet, log }: ApiContext): RequestHandler {
  return async (request, response) => {
    const body = parseFleetBody(ReportBody, isPlainReportItem, request.body)
    const app = appOf(request, await catalog.refresh(), body.app)
    const appKey = app.record.key
    const labels = await readItemLabels(fleet, appKey, body.devices, () => false)
    fleet.recordAll(body.devices, (item, index) => ({
      appKey,
      deviceId: item.deviceId,
      profile: profileFor(app, item),
      source: 'report',
      reason: null,
      labels: labels[index]?.changed,
    }))
    await fleet.settled()
    log.debug({ app: app.record.ref, devices: body.devices.length }, 'report committed')
    response.json({ app: app.record.ref, received: body.devices.length })
  }

  /** What a report leaves out stays as it was; a new device counts for the app's first channel. */
  function profileFor(app: CatalogApp, { deviceId, version, platform, arch }: ReportItem) {
    const known = fleet.profileOf(app.record.key, deviceId)
    const channelKey = known?.channelKey ?? defaultChannel(app)
    return new ProfileClaim(
      channelKey,
      version,
      platform ?? known?.platform ?? '',
      arch ?? known?.arch ?? '',
    )
  }
}

function defaultChannel(app: CatalogApp): number {
  const [oldest] = app.channels.values()
  const channel = app.channels.get(DEFAULT_CHANNEL) ?? oldest
  if (channel === undefined) throw new Error(`app ${app.record.ref} has no channel`)
  return channel.record.key
}
