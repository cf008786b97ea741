import type { IncomingMessage, ServerResponse } from 'node:http'
import { TRPCError } from '@trpc/server'
import { createExpressMiddleware } from '@trpc/server/adapters/express'
import { type RequestHandler, Router } from 'express'
import { CALL_AGE_HEADER, CALL_KEY_HEADER } from '../../shared/console/bridge/web.ts'
import { forPrincipal } from '../console/context.ts'
import { consoleRouter } from '../console/router.ts'
import { keepOpen } from '../http/listener/closing.ts'
import type { CallRepeat } from '../runtime/async/repeated-calls.ts'
import { accountRouter } from './account.ts'
import { requireContact, unauthenticated } from './account-context.ts'
import { callOptions, limitStrangers } from './call-limits.ts'
import {
  browserCaller,
  reached,
  requireOwnPage,
  sessionOf,
  type WebConsoleParts,
} from './caller.ts'
import { createCommandLine } from './command-line.ts'
import { isConsoleCode, needsCode } from './console-code.ts'
import { setCode, setKnownBrowser, setSessionCookie, setSignOn } from './cookies.ts'
import { createFiles } from './files.ts'
import { type HeldFor, HoldBack } from './hold-back.ts'
import { Live } from './live.ts'
import { createPage } from './page.ts'
import { callerSession, principalOf } from './principal.ts'
import { finishSignOn, SIGN_ON_PATH } from './sign-on.ts'
import { createWall } from './wall.ts'

export interface WebConsole {
  readonly routes: Router
  readonly live: Live
  /** Ends the live connections, and answers those who wait for a command line. */
  stop(): void
}

/** Where the command line calls. */
const COMMAND_LINE = '/command-line'

/** Creates the console for browsers: its page, its calls, and its live connections. */
export function createWebConsole(
  given: Omit<WebConsoleParts, 'holdBack'>,
  heldFor?: HeldFor,
): WebConsole {
  const parts = { ...given, holdBack: new HoldBack(heldFor) }
  const live = new Live(parts)
  const routes = Router({ strict: true })
  // Relative, as all addresses of the page: it works under any prefix of a proxy.
  routes.get('/', (request, response, next) => {
    const { originalUrl } = request
    // Who does not reach the console does not hear that there is one.
    reached(request, parts)
    if (new URL(originalUrl, 'http://any').pathname.endsWith('/')) next()
    else response.redirect(308, './console/')
  })
  routes.post(/^\/(?:api|account)\//, createCalls(parts))
  routes.use(COMMAND_LINE, createCommandLine(parts))
  routes.get(`/${SIGN_ON_PATH}`, finishSignOn(parts))
  routes.use(createWall(parts))
  routes.use(createFiles(parts))
  routes.use(createPage(parts))
  return {
    routes,
    live,
    stop: () => {
      live.stop()
      parts.people.codes.stop()
    },
  }
}

/** Most characters of the name of a call. */
const MAX_KEY = 100

/** How the page names the one call of a request, so that it can be repeated. */
function repeatOf({ headers }: IncomingMessage): CallRepeat | null {
  const [key, age] = [headers[CALL_KEY_HEADER], headers[CALL_AGE_HEADER]]
  if (typeof key !== 'string' || key.length > MAX_KEY) return null
  return { key, age: typeof age === 'string' ? Number.parseInt(age, 10) || 0 : undefined }
}

/**
 * The calls of the console's page: `api/…` the console's router for a signed-in person, `account/…` what nobody
 * needs a session for. tRPC over HTTP, in batches, always by POST.
 */
function createCalls(parts: WebConsoleParts): RequestHandler {
  const { api, people, notifications } = parts
  const routes = Router()
  routes.use((request, response, next) => {
    requireOwnPage(request, reached(request, parts))
    response.set('Cache-Control', 'no-store')
    request.once('end', () => keepOpen(response))
    next()
  })
  const options = callOptions(parts, 'console procedure failed')
  routes.use(
    '/api',
    createExpressMiddleware({
      ...options,
      router: consoleRouter,
      createContext({ req, info }) {
        requireContact(parts)
        const by = reached(req, parts)
        const session = sessionOf(req, by, parts)
        if (session === undefined) throw unauthenticated()
        // A stream would outlive its session; the live connection ends with it.
        if (info.type === 'subscription') throw new TRPCError({ code: 'NOT_FOUND' })
        const caller = browserCaller(req, by, parts)
        const principal = principalOf(session, caller)
        const own = callerSession(session, { people, caller })
        return forPrincipal(parts.console(), principal, own, repeatOf(req))
      },
    }),
  )
  routes.use(
    '/account',
    limitStrangers(parts, (request) => sessionOf(request, reached(request, parts), parts)),
  )
  routes.use(
    '/account',
    createExpressMiddleware({
      ...options,
      router: accountRouter,
      createContext({ req, res }: { req: IncomingMessage; res: ServerResponse }) {
        requireContact(parts)
        const by = reached(req, parts)
        return {
          people,
          notifications,
          contact: api.contact,
          holdBack: parts.holdBack,
          site: { rpId: new URL(by.origin).hostname, origin: by.origin },
          caller: browserCaller(req, by, parts),
          session: sessionOf(req, by, parts),
          repeat: repeatOf(req),
          repeats: parts.console().repeats,
          needsCode: needsCode(req, by, parts),
          enterCode(code) {
            if (!isConsoleCode(code, parts)) return false
            setCode(res, by, code)
            return true
          },
          keepSignOn: (roundTrip) => setSignOn(res, by, roundTrip),
          keepKnown: (browser) => setKnownBrowser(res, by, browser),
          keep: (session) => setSessionCookie(res, by, session),
        }
      },
    }),
  )
  return routes
}
