import { Router } from 'express'
import { sendReply } from '../answer/reply.ts'
import type { ApiContext } from '../context.ts'
import { callerAddress } from '../request/address.ts'
import { requestIdOf } from '../request/request-id.ts'
import type { Check } from './answering.ts'

/** The update check within Express, for whatever the plain case ahead of it leaves. */
export function checkRoutes(context: ApiContext, check: Check): Router {
  const router = Router()
  // Without a pattern, because Express would decode what a pattern matched, and refuse it its way.
  router.use(async (request, response, next) => {
    const { method, originalUrl: url, headers } = request
    if (method !== 'GET' && method !== 'HEAD') {
      next()
      return
    }
    const address = callerAddress(request, context)
    const requestId = requestIdOf(response)
    const asked = { url, headers, address, requestId, headOnly: method === 'HEAD' }
    sendReply(response, await check(asked))
  })
  return router
}
