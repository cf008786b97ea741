import { Router } from 'express'
import { reached } from './caller.ts'
import { createCalls } from './calls.ts'
import { createCommandLine } from './command-line.ts'
import { createFiles } from './files.ts'
import { type HeldFor, HoldBack } from './hold-back.ts'
import { Live } from './live.ts'
import { createPage } from './page.ts'
import type { WebConsoleParts } from './parts.ts'
import { finishSignOn, SIGN_ON_PATH } from './sign-on.ts'

/** What answers the requests of browsers, until `stop`. */
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
