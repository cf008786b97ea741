import { isIPv4 } from 'node:net'

/**
 * Returns the network of an address key: the /24 of an IPv4 address, the /48 of an IPv6 /64, which is what a site has
 * (RFC 6177). Anything else is its own network.
 */
export function networkKey(key: string): string {
  if (isIPv4(key)) return `${key.slice(0, key.lastIndexOf('.'))}.0/24`
  const [, site] = /^([\da-f]+:[\da-f]+:[\da-f]+):[\da-f]+::\/64$/.exec(key) ?? []
  return site === undefined ? key : `${site}::/48`
}
