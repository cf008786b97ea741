import express, { type Express, type RequestHandler, Router } from 'express'
import type { Logger } from 'pino'
import { errorHandler, unknownRoute } from './answer/errors.ts'
import { sendReply } from './answer/reply.ts'
import type { Check } from './check/answering.ts'
import { reportOutcome } from './check/check.ts'
import type { ApiContext } from './context.ts'
import { takeEnvelope } from './envelopes/envelope-route.ts'
import { feedRoutes } from './feed/feed.ts'
import { downloadRoutes } from './files/downloads.ts'
import { storedFileRoutes, uploadOptions } from './files/stored-files.ts'
import { createUploads } from './files/uploads.ts'
import { planWave, reportState } from './fleet/fleet.ts'
import { apiDocument } from './openapi/openapi.ts'
import {
  addChannelRoutes,
  addDraftRoutes,
  addPlanRoutes,
  addReleaseRoutes,
} from './releases/releases.ts'
import { nameRequest, requestIdOf } from './request/access-log.ts'
import { callerAddress } from './request/address.ts'
import { principalOf, requireKey, requireKeyOrLocal } from './request/auth.ts'
import { envelopeBody, jsonBody, keylessBody } from './request/body.ts'
import { limitAddress } from './request/rate-limit.ts'
import { health } from './status/health.ts'
import { landing } from './status/landing.ts'
import { checkGivenKey, live, readiness } from './status/readiness.ts'
import type { DeviceChecks } from './update-feeds/device-checks.ts'

/** The public API as an Express app. `checks` are those that the server also calls ahead of it. */
export function createApp(context: ApiContext, checks: DeviceChecks): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', 'simple')
  app.use(logRequests(context.log))
  const limited = limitAddress(context)
  app.options(/^\/api\/v1\/uploads(?:\/[0-9a-f]{32})?$/, limited, uploadOptions(context))
  // Express would answer OPTIONS by itself, in plain text. Only the feed is for other origins.
  app.options(/^\/(?!feed\/)/, limited, unknownRoute)
  // First, so that a check is answered as it is ahead of Express.
  app.use('/u', checkRoutes(context, checks.check))
  for (const [path, check] of checks.feeds) app.use(path, checkRoutes(context, check))
  app.use((request, response, next) => {
    nameRequest(request, response, context)
    response.set('X-Content-Type-Options', 'nosniff')
    next()
  })

  const { webConsole } = context
  if (webConsole !== undefined) app.use('/console', webConsole.routes)
  app.get('/', limited, landing(context.version, webConsole))
  app.post('/u/:appRef/:channel/outcome', limited, keylessBody, reportOutcome(context))
  app.post('/sentry/:appRef/api/:project/envelope', limited, envelopeBody, takeEnvelope(context))
  app.use('/feed', feedRoutes(context))
  app.get('/healthz', health(context))
  app.get('/healthz/live', live(context))
  app.get('/healthz/ready', checkGivenKey(context), readiness(context))
  app.get('/api/v1/openapi.json', limited, apiDocument(context.version))
  app.use('/api/v1', (_request, response, next) => {
    response.set('Cache-Control', 'no-store')
    context.contact.require()
    next()
  })
  addReleaseRoutes(app, context)
  addPlanRoutes(app, context)
  addChannelRoutes(app, context)
  const stored = publicFileRoutes(context)
  app.use('/api/v1/files', stored.files)
  app.use('/api/v1/uploads', ...stored.uploads)
  app.use('/files', downloadRoutes(context))
  addDraftRoutes(app, context)
  const fleetKey = requireKey(context, 'fleet')
  app.post('/api/v1/fleet/decisions', fleetKey, jsonBody, planWave(context))
  app.post('/api/v1/fleet/report', fleetKey, jsonBody, reportState(context))

  app.use(limited, unknownRoute)
  app.use(errorHandler(context))
  return app
}

/** `/api/v1/files`, and `/api/v1/uploads` by the tus protocol. */
function publicFileRoutes(context: ApiContext) {
  const { updates, failures } = context
  const reading = [requireKeyOrLocal(context, 'read')]
  const writing = [requireKeyOrLocal(context, 'publish')]
  const parts = { updates, failures, principalOf, reading, writing }
  return { files: storedFileRoutes(parts), uploads: [...writing, createUploads(parts)] }
}

/** One line a request, at debug. The path without the query, and no header: keys and labels are never in the log. */
function logRequests(log: Logger): RequestHandler {
  return (request, response, next) => {
    if (log.isLevelEnabled('debug')) {
      const began = performance.now()
      const { method, path } = request
      response.once('close', () => {
        const milliseconds = Math.round((performance.now() - began) * 10) / 10
        const requestId = requestIdOf(response)
        log.debug({ requestId, method, path, status: response.statusCode, milliseconds }, 'request')
      })
    }
    next()
  }
}

/** The update check within Express, for whatever the plain case ahead of it leaves. */
function checkRoutes(context: ApiContext, check: Check): Router {
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
