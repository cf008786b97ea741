import type { RequestHandler } from 'express'
import { DecisionsBody, ReportBody } from '../../../shared/fleet.ts'
import type { CatalogChannel } from '../../catalog/snapshot.ts'
import { serialiseOffer } from '../../decision/manifest.ts'
import type { PlannedDevice } from '../../use-cases/fleet/plan-wave.ts'
import { sendParts } from '../answer/send-parts.ts'
import type { ApiContext } from '../context.ts'
import { principalOf } from '../request/auth.ts'
import { isPlainDecisionItem, isPlainReportItem, parseFleetBody } from './fleet-body.ts'

/** `POST /api/v1/fleet/decisions`: a decision per device, as the update check would make it. */
export function planWave({ updates, contact }: ApiContext): RequestHandler {
  return async (request, response) => {
    const body = parseFleetBody(DecisionsBody, isPlainDecisionItem, request.body)
    const { channel, planned } = await updates.planWave(principalOf(request), body)
    // The devices are recorded, but a release can have been rolled back elsewhere since it was decided.
    contact.require()
    await sendParts(response, wavePlanParts(channel, planned))
  }
}

/** `POST /api/v1/fleet/report`: check-ins on the devices' behalf, answered once committed. */
export function reportState({ updates, log }: ApiContext): RequestHandler {
  return async (request, response) => {
    const body = parseFleetBody(ReportBody, isPlainReportItem, request.body)
    const { ref } = await updates.report(principalOf(request), body)
    log.debug({ app: ref, devices: body.devices.length }, 'report committed')
    response.json({ app: ref, received: body.devices.length })
  }
}

/**
 * Returns the response to a decision call in UTF-8, in parts: serialized manifests, and the few bytes
 * between them. Long notes are shared by reference, so 500 manifests with notes of 64 KiB take no more
 * memory than one.
 */
function wavePlanParts(
  channel: CatalogChannel,
  planned: readonly PlannedDevice[],
): readonly Uint8Array[] {
  const [app, name] = [JSON.stringify(channel.app.ref), JSON.stringify(channel.record.name)]
  const parts: Uint8Array[] = []
  let text = `{"app":${app},"channel":${name},"decisions":[`
  let updatesOffered = 0
  for (const [index, { item, version, decision }] of planned.entries()) {
    text += `${index === 0 ? '' : ','}{"deviceId":${JSON.stringify(item.deviceId)},"update":`
    if (decision.release === null) text += 'null'
    else {
      updatesOffered++
      const manifest = serialiseOffer(channel.compiled, decision, version)
      parts.push(Buffer.from(text, 'latin1'), ...manifest.parts)
      text = ''
    }
    text += `,"reason":"${decision.reason}"}`
  }
  parts.push(Buffer.from(`${text}],"updatesOffered":${updatesOffered}}`, 'latin1'))
  return parts
}
