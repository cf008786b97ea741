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
  /** Answers from now on. Requests that came before wait for it. */
  begin(context: SharedConsoleContext): void
  stop(): void
}

const LIVE = /^\/console\/live(?:\?|$)/

/**
 * Offers the console for browsers. Its modules take longer to load than all that devices need, and 10 MB, so the first
 * request of a browser loads them. Every request fails if they cannot be loaded.
 */
export function offerConsole(
  parts: Omit<WebConsoleParts, 'holdBack' | 'console'>,
  heldFor?: HeldFor,
): OfferedConsole {
  const { config, api } = parts
  const { promise: begun, resolve: begin } = Promise.withResolvers<SharedConsoleContext>()
  let loading: Promise<WebConsole> | undefined
  const load = async () => {
    const context = await begun
    const { createWebConsole } = await import('./web-console.ts')
    return createWebConsole({ ...parts, console: () => context }, heldFor)
  }
  const loaded = () => (loading ??= load())
  return {
    routes: async (request, response, next) => {
      const { routes } = await loaded()
      routes(request, response, next)
    },
    code: consoleCode(api.statusToken),
    reaches: (request) =>
      typeof reachConsole(request, { config, trustProxy: api.trustProxy }) === 'object',
    wantsUpgrade: ({ url = '', method }) => method === 'GET' && LIVE.test(url),
    upgrade(request, socket, head) {
      const destroy = () => socket.destroy()
      socket.once('error', destroy)
      loaded().then(({ live }) => {
        socket.off('error', destroy)
        if (!socket.destroyed) live.upgrade(request, socket, head)
      }, destroy)
    },
    begin,
    // The server stops as soon as it has started, at the earliest.
    stop: () => void loading?.then((console) => console.stop()).catch(() => {}),
  }
}
