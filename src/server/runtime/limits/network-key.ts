import { isIPv4 } from 'node:net'

const SUBNET = /^([\da-f]+:[\da-f]+:[\da-f]+):([\da-f]+)::\/64$/

/**
 * Returns the network of an address key: the /24 of an IPv4 address, the /48 of an IPv6 /64, which is what a site has
 * (RFC 6177). Anything else is its own network.
 */
export function networkKey(key: string): string {
  if (isIPv4(key)) return `${key.slice(0, key.lastIndexOf('.'))}.0/24`
  const [, site] = SUBNET.exec(key) ?? []
  return site === undefined ? key : `${site}::/48`
}

/**
 * Returns an address key with the networks around it, from small to large: the /56 and the /48 of an IPv6 /64, which are
 * what one customer can have (RFC 6177). Only the key for anything else.
 */
export function networksAround(key: string): readonly string[] {
  const [, site, subnet] = SUBNET.exec(key) ?? []
  if (site === undefined || subnet === undefined) return [key]
  const customer = (Number.parseInt(subnet, 16) & 0xff_00).toString(16)
  return [key, `${site}:${customer}::/56`, `${site}::/48`]
}
