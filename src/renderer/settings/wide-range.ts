/** Prefix lengths from which a range is no longer a network of one's own: 10.0.0.0/8 and fc00::/7 are. */
const OWN_IPV4 = 8
const OWN_IPV6 = 7
/** Bits before an IPv4 address that is written as IPv6: `::ffff:10.0.0.0/104`. */
const MAPPED = 96

/** Returns the first of the proxies that is a range with addresses on the internet. */
export function wideRange(proxies: readonly string[]): string | undefined {
  return proxies.find((proxy) => {
    const [address = '', prefix] = proxy.split('/')
    if (prefix === undefined) return false
    const bits = Number(prefix)
    if (!address.includes(':')) return bits < OWN_IPV4
    return bits < OWN_IPV6 || (startsWithZeros(address) && bits < MAPPED + OWN_IPV4)
  })
}

/** IPv4 addresses lie within such a range. */
function startsWithZeros(address: string): boolean {
  return new URL(`http://[${address}]`).hostname.startsWith('[::')
}
