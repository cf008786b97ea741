import { isIPv4, isIPv6 } from 'node:net'

/** Longer than any address, so that invalid values from a proxy take little memory. */
const MAX_LENGTH = 64
/** Address formats that some proxies use: `192.0.2.1:4711`, `[2001:db8::1]` or `[2001:db8::1]:4711`. */
const WITH_PORT = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/

/**
 * Returns the key by which limits count an address: an IPv4 address as it is, an IPv6 address by
 * its /64, the minimum that a single customer has (RFC 6177). An IPv4 address within an
 * IPv6 address (RFC 4291 section 2.5.5.2, RFC 6052 section 2.1) counts as the IPv4 address. Accepts
 * addresses with a port, as some proxies write them; anything else is its own key.
 */
export function addressKey(address: string): string {
  // The most common case: IPv4 without a port.
  if (!address.includes(':')) return address.slice(0, MAX_LENGTH)
  if (isIPv6(address)) return ofGroups(groupsOf(address))
  const [, bracketed, dotted] = WITH_PORT.exec(address) ?? []
  if (bracketed !== undefined && isIPv6(bracketed)) return ofGroups(groupsOf(bracketed))
  if (dotted !== undefined && isIPv4(dotted)) return dotted
  return address.slice(0, MAX_LENGTH)
}

const [COLON, DOT, PERCENT, ZERO, NINE, A] = [0x3a, 0x2e, 0x25, 0x30, 0x39, 0x61]
const LOWER_CASE = 0x20

function ofGroups(groups: readonly number[]): string {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups
  const middleIsZero = c === 0 && d === 0 && e === 0
  const isMapped = a === 0 && b === 0 && middleIsZero && f === 0xff_ff
  const isTranslated = a === 0x64 && b === 0xff_9b && middleIsZero && f === 0
  if (isMapped || isTranslated) return `${g >> 8}.${g & 255}.${h >> 8}.${h & 255}`
  return `${a.toString(16)}:${b.toString(16)}:${c.toString(16)}:${d.toString(16)}::/64`
}

/** Returns the eight groups of a valid IPv6 address. Hand-written, because it runs for every request. */
function groupsOf(address: string): number[] {
  const groups: number[] = []
  let gapAt = -1
  let group = 0
  let digits = 0
  for (let index = 0; index < address.length; index += 1) {
    const code = address.charCodeAt(index)
    if (code === DOT) return groupsOf(withoutDots(address))
    if (code === PERCENT) break
    if (code !== COLON) {
      group = group * 16 + (code <= NINE ? code - ZERO : (code | LOWER_CASE) - A + 10)
      digits += 1
      continue
    }
    if (digits > 0) groups.push(group)
    else if (index > 0) gapAt = groups.length
    group = 0
    digits = 0
  }
  if (digits > 0) groups.push(group)
  while (groups.length < 8) groups.splice(gapAt, 0, 0)
  return groups
}

/** Writes the dotted end of an address as two groups. */
function withoutDots(address: string): string {
  return address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)/, (_all, a, b, c, d) => {
    const high = Number(a) * 256 + Number(b)
    const low = Number(c) * 256 + Number(d)
    return `${high.toString(16)}:${low.toString(16)}`
  })
}

const SUBNET = /^([\da-f]+:[\da-f]+:[\da-f]+):([\da-f]+)::\/64$/

/** Returns the network of an address key: the /24 of IPv4, the /48 of an IPv6 /64 (a site, RFC 6177); anything else is its own. */
export function networkKey(key: string): string {
  if (isIPv4(key)) return `${key.slice(0, key.lastIndexOf('.'))}.0/24`
  const [, site] = SUBNET.exec(key) ?? []
  return site === undefined ? key : `${site}::/48`
}

/** Returns an address key with its networks, small to large: the /56 and /48 of an IPv6 /64 (RFC 6177), else only the key. */
export function networksAround(key: string): readonly string[] {
  const [, site, subnet] = SUBNET.exec(key) ?? []
  if (site === undefined || subnet === undefined) return [key]
  const customer = (Number.parseInt(subnet, 16) & 0xff_00).toString(16)
  return [key, `${site}:${customer}::/56`, `${site}::/48`]
}
