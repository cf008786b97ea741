import type { RequestHandler } from 'express'
import { ReportBody } from '../../../shared/fleet.ts'
import type { ApiContext } from '../context.ts'
import { principalOf } from '../request/auth.ts'
import { isPlainReportItem, parseFleetBody } from './fleet-body.ts'

/** `POST /api/v1/fleet/report`: check-ins on the devices' behalf, answered once committed. */
export function reportState({ updates, log }: ApiContext): RequestHandler {
  return async (request, response) => {
    const body = parseFleetBody(ReportBody, isPlainReportItem, request.body)
    const { ref } = await updates.report(principalOf(request), body)
    log.debug({ app: ref, devices: body.devices.length }, 'report committed')
    response.json({ app: ref, received: body.devices.length })
  }
}
