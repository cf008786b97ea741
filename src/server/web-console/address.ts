import type { ServerConfig } from '../config.ts'
import { reachableAddresses } from '../console/apps/addresses.ts'

/**
 * Returns the address of the console for browsers on a server that listens at `address`: by its configured name, or
 * for this computer if it listens there, or for the network. Null if it is offered to nobody.
 */
export function consoleAddress(
  { console: config }: Pick<ServerConfig, 'console'>,
  address: string,
): string | null {
  if (config === undefined || config.mode === 'off') return null
  const { protocol, port } = new URL(address)
  const at = (host: string) => `${protocol}//${host}${port === '' ? '' : `:${port}`}/console/`
  const [name] = config.names
  const isInNetwork = config.mode === 'lan' && (protocol === 'https:' || config.plainHttp)
  if (name !== undefined && isInNetwork) return at(name)
  const found = reachableAddresses(address).find(
    ({ reach }) => reach === 'this_machine' || isInNetwork,
  )
  return found === undefined ? null : `${found.url}/console/`
}

/**
 * Returns the address of the console for people elsewhere, from the configuration alone: by its name in the network
 * or at a trusted proxy, which answers HTTPS, or by an address of this computer. Null if nobody elsewhere is offered it.
 */
export function publicConsoleAddress(
  config: Pick<ServerConfig, 'console' | 'trustProxy'>,
  address: string,
): string | null {
  const { console, trustProxy } = config
  if (console === undefined || console.mode === 'off') return null
  const isInNetwork = console.mode === 'lan' && (address.startsWith('https:') || console.plainHttp)
  const [name] = console.names
  if (!isInNetwork) {
    return name !== undefined && trustProxy.length > 0 ? `https://${name}/console/` : null
  }
  if (name !== undefined) return consoleAddress(config, address)
  const found = reachableAddresses(address).find(({ reach }) => reach === 'network')
  return found === undefined ? null : `${found.url}/console/`
}
