import type { Request, RequestHandler } from 'express'
import type { z } from 'zod'
import { type DecisionItem, DecisionsBody } from '../../shared/fleet.ts'
import { markOffered } from '../catalog/offers.ts'
import type { CatalogChannel } from '../catalog/snapshot.ts'
import type { ReleaseRecord } from '../catalog/store.ts'
import { needsLabels, readsLabels } from '../decision/candidates.ts'
import { type Decision, decide } from '../decision/decide.ts'
import { type ParsedVersion, parseVersion } from '../decision/version.ts'
import { channelOf } from './auth.ts'
import type { ApiContext } from './context.ts'
import { isPlainDecisionItem, parseFleetBody } from './fleet-body.ts'
import { type ItemLabels, NO_ITEM_LABELS, readItemLabels } from './item-labels.ts'
import { sendParts } from './send-parts.ts'
import { wavePlanParts } from './wave-plan-parts.ts'

/** Tries to decide again after another process changed a release meanwhile. */
const MAX_TRIES = 5

interface PlannedDevice extends Pick<ItemLabels, 'changed'> {
  readonly item: DecisionItem
  readonly version: ParsedVersion
  readonly decision: Decision<ReleaseRecord>
}

interface Plan {
  readonly channel: CatalogChannel
  readonly planned: readonly PlannedDevice[]
}

/** `POST /api/v1/fleet/decisions`: a decision per device, as the update check would make it. */
export function planWave(context: ApiContext): RequestHandler {
  const { catalog, fleet } = context

  return async (request, response) => {
    const body = parseFleetBody(DecisionsBody, isPlainDecisionItem, request.body)
    let { channel, planned } = await plan(request, body)
    if (!body.dryRun) {
      for (let tries = 0; (await offerAll(planned)) > 0; tries++) {
        if (tries === MAX_TRIES)
          throw new Error('releases changed again and again while offered')
          // A release may not be what it was before its offer was made durable.
        ;({ channel, planned } = await plan(request, body))
      }
      for (const device of planned) record(channel, device)
      await fleet.settled()
    }
    await sendParts(response, wavePlanParts(channel, planned))
  }

  async function plan(request: Request, body: z.output<typeof DecisionsBody>): Promise<Plan> {
    const channel = channelOf(request, catalog.snapshot, body)
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
    return { channel, planned }
  }

  /** Makes every offer durable that is not. Answers how many releases that were. */
  async function offerAll(planned: readonly PlannedDevice[]): Promise<number> {
    const fresh = new Set<ReleaseRecord>()
    for (const { decision } of planned) {
      if (decision.release?.facts.offered === false) fresh.add(decision.release.facts)
    }
    for (const release of fresh) await markOffered(catalog, release)
    return fresh.size
  }

  function record(channel: CatalogChannel, { item, decision, changed }: PlannedDevice): void {
    const { deviceId, version, platform, arch } = item
    fleet.record({
      appKey: channel.app.key,
      deviceId,
      profile: fleet.profileId(channel.record.key, version, platform, arch),
      source: 'decision',
      reason: decision.reason,
      labels: changed,
    })
  }
}
