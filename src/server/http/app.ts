import express, { type Express } from 'express'
import { errorHandler, unknownRoute } from './answer/errors.ts'
import type { Check } from './check/check.ts'
import { checkRoutes } from './check/check-route.ts'
import type { ApiContext } from './context.ts'
import { feedRoutes } from './feed/feed.ts'
import { planWave, reportState } from './fleet/fleet.ts'
import { apiDocument } from './openapi/api-document.ts'
import { releaseRoutes } from './releases/releases.ts'
import { requireKey } from './request/auth.ts'
import { jsonBody } from './request/body.ts'
import { limitAddress } from './request/rate-limit.ts'
import { logRequests } from './request/request-log.ts'
import { health } from './status/health.ts'
import { landing } from './status/landing.ts'

/** The public API as an Express app. `check` is the one that the server also calls ahead of it. */
export function createApp(context: ApiContext, check: Check): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', 'simple')
  app.use(logRequests(context.log))
  const limited = limitAddress(context)
  // Express would answer OPTIONS by itself, in plain text. Only the feed is for other origins.
  app.options(/^\/(?!feed\/)/, limited, unknownRoute)
  // First, so that a check is answered as it is ahead of Express.
  app.use('/u', checkRoutes(context, check))
  app.use((_request, response, next) => {
    response.set('X-Content-Type-Options', 'nosniff')
    next()
  })

  const { webConsole } = context
  if (webConsole !== undefined) app.use('/console', webConsole.routes)
  app.get('/', limited, landing(context.version, webConsole))
  app.use('/feed', feedRoutes(context))
  app.get('/healthz', health(context))
  app.get('/api/v1/openapi.json', limited, apiDocument(context.version))
  app.use('/api/v1', (_request, response, next) => {
    response.set('Cache-Control', 'no-store')
    next()
  })
  app.use('/api/v1/releases', releaseRoutes(context))
  const fleetKey = requireKey(context, 'fleet')
  app.post('/api/v1/fleet/decisions', fleetKey, jsonBody, planWave(context))
  app.post('/api/v1/fleet/report', fleetKey, jsonBody, reportState(context))

  app.use(limited, unknownRoute)
  app.use(errorHandler(context))
  return app
}
