import type { IncomingMessage } from 'node:http'
import proxyaddr from 'proxy-addr'
import type { ApiContext } from './context.ts'

const MAPPED_IPV4 = '::ffff:'

/**
 * The caller's address; what a proxy says of it counts only where that proxy is trusted. Empty
 * where the caller has gone already.
 */
export function callerAddress(
  request: IncomingMessage,
  { trustProxy }: Pick<ApiContext, 'trustProxy'>,
): string {
  const { remoteAddress } = request.socket
  if (remoteAddress === undefined) return ''
  const address = trustProxy === null ? remoteAddress : proxyaddr(request, trustProxy)
  return address.startsWith(MAPPED_IPV4) ? address.slice(MAPPED_IPV4.length) : address
}

/**
 * Compiles the setting `trustProxy`: addresses, ranges such as `10.0.0.0/8`, and the names
 * `loopback`, `linklocal` and `uniquelocal`. Throws where one of them is none of these.
 */
export function compileTrust(proxies: readonly string[]): ApiContext['trustProxy'] {
  return proxies.length === 0 ? null : proxyaddr.compile([...proxies])
}
