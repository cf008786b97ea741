import type { RequestHandler } from 'express'
import { DecisionsBody, ReportBody } from '../../../shared/fleet.ts'
import { sendParts } from '../answer/send-parts.ts'
import type { ApiContext } from '../context.ts'
import { principalOf } from '../request/auth.ts'
import { isPlainDecisionItem, isPlainReportItem, parseFleetBody } from './fleet-body.ts'
import { wavePlanParts } from './wave-plan-parts.ts'

/** `POST /api/v1/fleet/decisions`: a decision per device, as the update check would make it. */
export function planWave({ updates }: ApiContext): RequestHandler {
  return async (request, response) => {
    const body = parseFleetBody(DecisionsBody, isPlainDecisionItem, request.body)
    const { channel, planned } = await updates.planWave(principalOf(request), body)
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
