import type { Request, RequestHandler } from 'express'
import type { z } from 'zod'
import { type DecisionItem, DecisionsBody } from '../../shared/fleet.ts'
import { markOffered } from '../catalog/offers.ts'
import type { CatalogChannel } from '../catalog/snapshot.ts'
import type { ReleaseRecord } from '../catalog/store.ts'
import { needsLabels, readsLabels } from '../decision/candidates.ts'
import { type Decision, decide } from '../decision/decide.ts'
import { serialiseOffer } from '../decision/manifest.ts'
import { type ParsedVersion, parseVersion } from '../decision/version.ts'
import type { Heartbeat } from '../fleet/fleet.ts'
import { ProfileClaim } from '../fleet/profile-claim.ts'
import { channelOf } from './auth.ts'
import type { ApiContext } from './context.ts'
import { isPlainDecisionItem, parseFleetBody } from './fleet-body.ts'
import { type ItemLabels, NO_ITEM_LABELS, readItemLabels } from './item-labels.ts'

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
      fleet.recordAll(planned.map((device) => heartbeatOf(channel, device)))
      await fleet.settled()
    }
    response.type('json').send(answerBytes(channel, planned))
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

/** The answer's bytes, put together from manifests that were serialised before. */
function answerBytes(channel: CatalogChannel, planned: readonly PlannedDevice[]): Buffer {
  const [app, name] = [JSON.stringify(channel.app.ref), JSON.stringify(channel.record.name)]
  const pieces: Uint8Array[] = []
  let text = `{"app":${app},"channel":${name},"decisions":[`
  let updatesOffered = 0
  for (const [index, { item, version, decision }] of planned.entries()) {
    text += `${index === 0 ? '' : ','}{"deviceId":${JSON.stringify(item.deviceId)},"update":`
    if (decision.release === null) text += 'null'
    else {
      updatesOffered++
      const manifest = serialiseOffer(channel.compiled, decision, version)
      pieces.push(Buffer.from(text, 'latin1'), manifest.bytes)
      text = ''
    }
    text += `,"reason":"${decision.reason}"}`
  }
  pieces.push(Buffer.from(`${text}],"updatesOffered":${updatesOffered}}`, 'latin1'))
  return Buffer.concat(pieces)
}
