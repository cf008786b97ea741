import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TRPCError } from '@trpc/server'
import { createExpressMiddleware } from '@trpc/server/adapters/express'
import { type RequestHandler, Router } from 'express'
import { forPrincipal } from '../console/context.ts'
import { consoleRouter, toCallError } from '../console/router.ts'
import { keepOpen } from '../http/listener/closing.ts'
import { rateLimitError } from '../http/request/rate-limit.ts'
import { accountRouter } from './account.ts'
import { unauthenticated } from './account-context.ts'
import { callerOf, reached, requireOwnPage, sessionOf } from './caller.ts'
import type { WebConsoleParts } from './parts.ts'
import { principalOf } from './principal.ts'
import { setSessionCookie, setSignOnState } from './session-cookie.ts'

/** Most calls in one request, and bytes of them together: 20 of the largest inputs are not one person's work. */
const LIMITS = { maxBatchSize: 20, maxBodySize: 4 * 1_024 * 1_024 }

/**
 * The calls of the console's page: `api/…` the console's router for a signed-in person, `account/…` what nobody
 * needs a session for. tRPC over HTTP, in batches, always by POST.
 */
export function createCalls(parts: WebConsoleParts): RequestHandler {
  const { api, people } = parts
  const routes = Router()
  routes.use((request, response, next) => {
    requireOwnPage(request, reached(request, parts))
    response.set('Cache-Control', 'no-store')
    request.once('end', () => keepOpen(response))
    next()
  })
  const onError = ({ error, path = '' }: { error: TRPCError; path?: string | undefined }) => {
    if (toCallError(error, { path, input: undefined }).code !== 'internal') return
    api.failures.error(error.cause ?? error, 'console procedure failed', { path })
  }
  routes.use(
    '/api',
    createExpressMiddleware({
      ...LIMITS,
      router: consoleRouter,
      allowMethodOverride: true,
      onError,
      createContext({ req }) {
        const session = sessionOf(req, reached(req, parts), parts)
        if (session === undefined) throw unauthenticated()
        const principal = principalOf(session, callerOf(req, parts))
        return forPrincipal(parts.console(), principal, session.id)
      },
    }),
  )
  routes.use('/account', limitStrangers(parts))
  routes.use(
    '/account',
    createExpressMiddleware({
      ...LIMITS,
      router: accountRouter,
      allowMethodOverride: true,
      onError,
      createContext({ req, res }: { req: IncomingMessage; res: ServerResponse }) {
        const by = reached(req, parts)
        return {
          people,
          site: { rpId: new URL(by.origin).hostname, origin: by.origin },
          caller: callerOf(req, parts),
          session: sessionOf(req, by, parts),
          keepSignOn: (state) => setSignOnState(res, by, state),
          keep: (session) => setSessionCookie(res, by, session),
        }
      },
    }),
  )
  return routes
}

/** Counts calls without a session against their address, as update checks are counted. */
function limitStrangers(parts: WebConsoleParts): RequestHandler {
  const { device } = parts.api.limits
  return (request, _response, next) => {
    if (device.enabled && sessionOf(request, reached(request, parts), parts) === undefined) {
      const verdict = device.take(callerOf(request, parts).address)
      if (!verdict.allowed) throw rateLimitError(verdict)
    }
    next()
  }
}
