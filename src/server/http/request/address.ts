import type { IncomingMessage } from 'node:http'
import proxyaddr from 'proxy-addr'
import { addressKey } from '../../runtime/limits/address-key.ts'
import type { ApiContext } from '../context.ts'

/**
 * Returns the caller's address key for limits: an IPv4 address, or the /64 of an IPv6 address. Headers of
 * a proxy are used only if the proxy is trusted. Empty if the caller has already disconnected.
 */
export function callerAddress(
  request: Pick<IncomingMessage, 'socket' | 'headers'>,
  { trustProxy }: Pick<ApiContext, 'trustProxy'>,
): string {
  const { remoteAddress } = request.socket
  if (remoteAddress === undefined) return ''
  return addressKey(
    trustProxy === null ? remoteAddress : proxyaddr(request as IncomingMessage, trustProxy),
  )
}

/** Compiles the setting `trustProxy`: addresses, ranges, `loopback`, `linklocal` and `uniquelocal`. Throws for anything else. */
export function compileTrust(proxies: readonly string[]): ApiContext['trustProxy'] {
  return proxies.length === 0 ? null : proxyaddr.compile([...proxies])
}
