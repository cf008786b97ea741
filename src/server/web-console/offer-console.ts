import type { Overview } from '../../shared/console/overview.ts'
import type { ConsoleConfig, ServerConfig } from '../config.ts'
import { reachableAddresses } from '../console/apps/addresses.ts'
import type { SharedConsoleContext } from '../console/context.ts'
import type { WebConsoleRoutes } from '../http/context.ts'
import { compileTrust } from '../http/request/address.ts'
import type { WebConsoleParts } from './caller.ts'
import { consoleCode } from './console-code.ts'
import { reachConsole } from './exposure.ts'
import type { HeldFor } from './hold-back.ts'
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

/** Offers the console for browsers. Their first request loads its modules, which take long and 10 MB; all fail if it cannot. */
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

type Config = Pick<ServerConfig, 'console' | 'trustProxy' | 'publicUrl' | 'hosting'>

/**
 * Returns the address of the console for browsers on a server that listens at `address`: by its configured name, or
 * for this computer if it listens there, or for the network. A server that trusts a proxy on this computer offers
 * nothing to this computer alone. Null if it is offered to nobody.
 */
export function consoleAddress(server: Config, address: string): string | null {
  const { console: config } = server
  if (config === undefined || config.mode === 'off') return null
  const { protocol, port } = new URL(address)
  const at = (host: string) => `${protocol}//${host}${port === '' ? '' : `:${port}`}/console/`
  const [name] = config.names
  const isInNetwork = isOfferedToNetwork(config, address)
  if (name !== undefined && isInNetwork) return atPublicName(server) ?? at(name)
  const found = reachableAddresses(address).find(
    ({ reach }) => isInNetwork || (reach === 'this_machine' && !trustsThisComputer(server)),
  )
  return found === undefined ? atProxy(server) : `${found.url}/console/`
}

/** Returns whether the console of a server that listens at `address` asks new browsers for its code. */
export function asksForCode(server: Config, address: string): boolean {
  const { console: config } = server
  if (config === undefined || config.mode === 'off' || trustsThisComputer(server)) return false
  return !isOfferedToNetwork(config, address)
}

function isOfferedToNetwork(config: ConsoleConfig, address: string): boolean {
  return config.mode === 'lan' && (address.startsWith('https:') || config.plainHttp)
}

function trustsThisComputer({ trustProxy }: Config): boolean {
  return compileTrust(trustProxy)?.('127.0.0.1', 0) === true
}

function atProxy(server: Config): string | null {
  const [name] = server.console?.names ?? []
  if (name === undefined || server.trustProxy.length === 0) return null
  return atPublicName(server) ?? `https://${name}/console/`
}

/** At the public address, with its port and path, if that has a name of the console. */
function atPublicName(server: Config): string | null {
  const publicUrl = publicUrlOf(server)
  if (publicUrl === undefined) return null
  return server.console?.names.includes(new URL(publicUrl).hostname)
    ? `${publicUrl}/console/`
    : null
}

function publicUrlOf({ publicUrl, hosting }: Config): string | undefined {
  return publicUrl ?? hosting?.publicUrl
}

/** Returns the base addresses at which devices reach a server on `address`: the configured one or its proxy's first. */
export function deviceAddresses(server: Config, address: string): Overview['addresses'] {
  const proxied = publicUrlOf(server) ?? atProxy(server)?.replace(/\/console\/$/, '')
  const own = reachableAddresses(address)
  if (proxied === undefined || own.some(({ url }) => url === proxied)) return own
  return [{ url: proxied, reach: 'network' }, ...own]
}

/** Returns the console's address for people elsewhere, from the configuration alone. Null if nobody elsewhere is offered it. */
export function publicConsoleAddress(config: Config, address: string): string | null {
  const { console } = config
  if (console === undefined || console.mode === 'off') return null
  if (!isOfferedToNetwork(console, address)) return atProxy(config)
  const [name] = console.names
  if (name !== undefined) return consoleAddress(config, address)
  const found = reachableAddresses(address).find(({ reach }) => reach === 'network')
  return found === undefined ? null : `${found.url}/console/`
}
