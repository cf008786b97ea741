import type { SharedConsoleContext } from '../console/context.ts'
import type { WebConsoleRoutes } from '../http/context.ts'
import { consoleCode } from './console-code.ts'
import { reachConsole } from './exposure.ts'
import type { HeldFor } from './hold-back.ts'
import type { WebConsoleParts } from './parts.ts'
import type { WebConsole } from './web-console.ts'

/** The console for browsers, until `stop`. */
export interface OfferedConsole extends WebConsoleRoutes {
  /** See `consoleCode`. */
  readonly code: string
  /** Loads what answers. Requests that came before wait for it. */
  begin(context: SharedConsoleContext): void
  stop(): void
}

const LIVE = /^\/console\/live(?:\?|$)/

/**
 * Offers the console for browsers. Its modules take longer to load than all that devices need, so they are loaded once the
 * server listens.
 */
export function offerConsole(
  parts: Omit<WebConsoleParts, 'holdBack' | 'console'>,
  heldFor?: HeldFor,
): OfferedConsole {
  const { config, api } = parts
  const { promise: loaded, resolve, reject } = Promise.withResolvers<WebConsole>()
  const load = async (context: SharedConsoleContext) => {
    const { createWebConsole } = await import('./web-console.ts')
    return createWebConsole({ ...parts, console: () => context }, heldFor)
  }
  return {
    routes: async (request, response, next) => {
      const { routes } = await loaded
      routes(request, response, next)
    },
    code: consoleCode(api.statusToken),
    reaches: (request) =>
      typeof reachConsole(request, { config, trustProxy: api.trustProxy }) === 'object',
    wantsUpgrade: ({ url = '', method }) => method === 'GET' && LIVE.test(url),
    upgrade(request, socket, head) {
      const destroy = () => socket.destroy()
      socket.once('error', destroy)
      loaded.then(({ live }) => {
        socket.off('error', destroy)
        if (!socket.destroyed) live.upgrade(request, socket, head)
      }, destroy)
    },
    begin: (context) => void load(context).then(resolve, reject),
    // The server stops as soon as it has started, at the earliest.
    stop: () => void loaded.then((console) => console.stop()).catch(() => {}),
  }
}
