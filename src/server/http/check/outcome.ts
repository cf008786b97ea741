import type { RequestHandler } from 'express'
import { z } from 'zod'
import { OutcomeBody } from '../../../shared/health/health.ts'
import { AppRefOrId, ChannelName } from '../../../shared/names.ts'
import { invalid } from '../../catalog/errors.ts'
import { parseInput } from '../answer/errors.ts'
import type { ApiContext } from '../context.ts'
import { callerAddress } from '../request/address.ts'
import { text } from '../strings.ts'
import { readDeviceId } from './check-path.ts'

const OutcomePath = z.object({ appRef: AppRefOrId, channel: ChannelName })

/** `POST /u/{appRef}/{channel}/outcome`: what an app reports of an update. The same answer whether or not it counts. */
export function reportOutcome(context: ApiContext): RequestHandler {
  return async (request, response) => {
    const { appRef: app, channel } = parseInput(OutcomePath, request.params)
    const body = parseInput(OutcomeBody, request.body)
    const deviceId = readDeviceId(request.headers['x-service-device'])
    if (deviceId === null)
      throw invalid({ path: ['X-Service-Device'], reason: text.request.device })
    context.contact.require()
    const caller = callerAddress(request, context)
    await context.updates.reportOutcome({ app, channel, ...body, deviceId, caller })
    response.status(204).end()
  }
}
