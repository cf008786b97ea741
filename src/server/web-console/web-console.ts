import { Router } from 'express'
import type { SharedConsoleContext } from '../console/context.ts'
import type { WebConsoleRoutes } from '../http/context.ts'
import { reached } from './caller.ts'
import { createCalls } from './calls.ts'
import { createCommandLine } from './command-line.ts'
import { consoleCode } from './console-code.ts'
import { reachConsole } from './exposure.ts'
import { createFiles } from './files.ts'
import { type HeldFor, HoldBack } from './hold-back.ts'
import { Live } from './live.ts'
import { createPage } from './page.ts'
import type { WebConsoleParts } from './parts.ts'
import { finishSignOn, SIGN_ON_PATH } from './sign-on.ts'

/** The console for browsers, until `stop`. */
export interface WebConsole extends WebConsoleRoutes {
  /** See `consoleCode`. */
  readonly code: string
  /** Answers calls from here on: what they work with is known once the server listens. */
  begin(context: SharedConsoleContext): void
  /** Ends the live connections, and answers those who wait for a command line. */
  stop(): void
}

/** Where the command line calls. */
const COMMAND_LINE = '/command-line'
const LIVE = /^\/console\/live(?:\?|$)/

/** Creates the console for browsers: its page, its calls, and its live connections. */
export function createWebConsole(
  given: Omit<WebConsoleParts, 'holdBack' | 'console'>,
  heldFor?: HeldFor,
): WebConsole {
  let context: SharedConsoleContext | undefined
  const console = () => {
    if (context === undefined) throw new Error('the console does not answer calls yet')
    return context
  }
  const parts = { ...given, console, holdBack: new HoldBack(heldFor) }
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
  routes.use(createFiles(parts))
  routes.use(createPage(parts))
  return {
    routes,
    begin: (begun) => {
      context = begun
    },
    code: consoleCode(parts.api.statusToken),
    reaches: (request) =>
      typeof reachConsole(request, { config: parts.config, trustProxy: parts.api.trustProxy }) ===
      'object',
    wantsUpgrade: ({ url = '', method }) => method === 'GET' && LIVE.test(url),
    upgrade: (request, socket, head) => live.upgrade(request, socket, head),
    stop: () => {
      live.stop()
      parts.people.codes.stop()
    },
  }
}
