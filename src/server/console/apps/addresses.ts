import { networkInterfaces } from 'node:os'
import type { Overview } from '../../../shared/console/overview.ts'

type Address = Overview['addresses'][number]

const EVERY_INTERFACE = new Set(['0.0.0.0', '[::]'])
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** Returns the addresses of a server that listens at `address`, the local one first; on all interfaces, one for each IPv4 address. */
export function reachableAddresses(address: string, interfaces = networkInterfaces()): Address[] {
  const { protocol, hostname, port } = new URL(address)
  if (!EVERY_INTERFACE.has(hostname)) {
    return [{ url: address, reach: LOOPBACK.test(hostname) ? 'this_machine' : 'network' }]
  }
  const at = (host: string) => `${protocol}//${host}${port === '' ? '' : `:${port}`}`
  const network = Object.values(interfaces)
    .flatMap((addresses = []) => addresses)
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address: host }): Address => ({ url: at(host), reach: 'network' }))
  return [{ url: at('127.0.0.1'), reach: 'this_machine' }, ...network]
}
