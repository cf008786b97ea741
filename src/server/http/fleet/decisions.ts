import type { Request, RequestHandler } from 'express'
import type { z } from 'zod'
import { type DecisionItem, DecisionsBody } from '../../../shared/fleet.ts'
import type { CatalogChannel } from '../../catalog/snapshot.ts'
import type { ReleaseRecord } from '../../catalog/store.ts'
import { needsLabels, readsLabels } from '../../decision/candidates.ts'
import { type Decision, decide } from '../../decision/decide.ts'
import { type ParsedVersion, parseVersion } from '../../decision/version.ts'
import type { Heartbeat } from '../../fleet/fleet.ts'
import { ProfileClaim } from '../../fleet/profiles/profile-claim.ts'
import { type ItemLabels, NO_ITEM_LABELS, readItemLabels } from '../../updates/item-labels.ts'
import type { Plan } from '../../updates/offers.ts'
import { sendParts } from '../answer/send-parts.ts'
import type { ApiContext } from '../context.ts'
import { channelOf } from '../request/auth.ts'
import { isPlainDecisionItem, parseFleetBody } from './fleet-body.ts'
import { wavePlanParts } from './wave-plan-parts.ts'

interface PlannedDevice extends Pick<ItemLabels, 'changed'> {
  readonly item: DecisionItem
  readonly version: ParsedVersion
  readonly decision: Decision<ReleaseRecord>
}

interface Wave extends Plan {
  readonly planned: readonly PlannedDevice[]
}

/** `POST /api/v1/fleet/decisions`: a decision per device, as the update check would make it. */
export function planWave(context: ApiContext): RequestHandler {
  const { catalog, fleet, offers } = context

  return async (request, response) => {
    const body = parseFleetBody(DecisionsBody, isPlainDecisionItem, request.body)
    let wave = await offers.settle(() => plan(request, body))
    if (!body.dryRun) {
      fleet.recordAll(wave.planned, (device) => heartbeatOf(wave.channel, device))
      await fleet.settled()
      // A release that was rolled back while telemetry was written is no longer offered.
      if (!offers.isCurrent(wave)) wave = await offers.settle(() => plan(request, body))
    }
    await sendParts(response, wavePlanParts(wave.channel, wave.planned))
  }

  async function plan(request: Request, body: z.output<typeof DecisionsBody>): Promise<Wave> {
    const channel = channelOf(request, await catalog.refresh(), body)
    const { compiled } = channel
    const appKey = channel.app.key
    const labels = await readItemLabels(
      fleet,
      appKey,
      body.devices,
      (item) => readsLabels(compiled) && needsLabels(compiled, parseVersion(item.version)),
    )
    const planned = body.devices.map((item, index): PlannedDevice => {
      const known = labels[index] ?? NO_ITEM_LABELS
      const { deviceId, platform, arch } = item
      const version = parseVersion(item.version)
      const facts = { deviceId, version, platform, arch, labels: known.labels }
      return { item, version, changed: known.changed, decision: decide(compiled, facts) }
    })
    return { channel, planned, offered: body.dryRun ? [] : offeredBy(planned) }
  }
}

function heartbeatOf(
  { app, record }: CatalogChannel,
  { item, decision, changed }: PlannedDevice,
): Heartbeat {
  const { deviceId, version, platform, arch } = item
  return {
    appKey: app.key,
    deviceId,
    profile: new ProfileClaim(record.key, version, platform, arch),
    source: 'decision',
    reason: decision.reason,
    labels: changed,
  }
}

function offeredBy(planned: readonly PlannedDevice[]): ReadonlySet<ReleaseRecord> {
  const offered = new Set<ReleaseRecord>()
  for (const { decision } of planned) {
    if (decision.release !== null) offered.add(decision.release.facts)
  }
  return offered
}
