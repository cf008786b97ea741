import type { ConsoleConfig, ServerConfig } from '../config.ts'
import { reachableAddresses } from '../console/apps/addresses.ts'
import { compileTrust } from '../http/request/address.ts'

type Config = Pick<ServerConfig, 'console' | 'trustProxy'>

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
  if (name !== undefined && isInNetwork) return at(name)
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

function atProxy({ console: config, trustProxy }: Config): string | null {
  const [name] = config?.names ?? []
  return name !== undefined && trustProxy.length > 0 ? `https://${name}/console/` : null
}

/**
 * Returns the address of the console for people elsewhere, from the configuration alone: by its name in the network
 * or at a trusted proxy, which answers HTTPS, or by an address of this computer. Null if nobody elsewhere is offered it.
 */
export function publicConsoleAddress(config: Config, address: string): string | null {
  const { console } = config
  if (console === undefined || console.mode === 'off') return null
  if (!isOfferedToNetwork(console, address)) return atProxy(config)
  const [name] = console.names
  if (name !== undefined) return consoleAddress(config, address)
  const found = reachableAddresses(address).find(({ reach }) => reach === 'network')
  return found === undefined ? null : `${found.url}/console/`
}
