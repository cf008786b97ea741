import { isIPv4, isIPv6 } from 'node:net'

/** Longer than any address, so that a proxy's nonsense takes little memory. */
const MAX_LENGTH = 64
/** An address as some proxies write it: `192.0.2.1:4711`, `[2001:db8::1]` or `[2001:db8::1]:4711`. */
const WITH_PORT = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/

/**
 * Returns the key by which limits count an address: an IPv4 address as it is, an IPv6 address by
 * its /64, which is what a single customer has at least (RFC 6177). An IPv4 address within an
 * IPv6 address (RFC 4291 section 2.5.5.2, RFC 6052 section 2.1) counts as the IPv4 address. Takes
 * what proxies write, with a port too; what is no address at all is its own key.
 */
export function addressKey(address: string): string {
  // Most callers: four numbers, no port.
  if (!address.includes(':')) return address.slice(0, MAX_LENGTH)
  if (isIPv6(address)) return ofGroups(groupsOf(address))
  const [, bracketed, dotted] = WITH_PORT.exec(address) ?? []
  if (bracketed !== undefined && isIPv6(bracketed)) return ofGroups(groupsOf(bracketed))
  if (dotted !== undefined && isIPv4(dotted)) return dotted
  return address.slice(0, MAX_LENGTH)
}

function ofGroups(groups: readonly number[]): string {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups
  const middleIsZero = c === 0 && d === 0 && e === 0
  const isMapped = a === 0 && b === 0 && middleIsZero && f === 0xff_ff
  const isTranslated = a === 0x64 && b === 0xff_9b && middleIsZero && f === 0
  if (isMapped || isTranslated) return `${g >> 8}.${g & 255}.${h >> 8}.${h & 255}`
  return `${a.toString(16)}:${b.toString(16)}:${c.toString(16)}:${d.toString(16)}::/64`
}

/** The eight groups of a valid IPv6 address. */
function groupsOf(address: string): number[] {
  const percent = address.indexOf('%')
  const [before = '', after] = (percent < 0 ? address : address.slice(0, percent)).split('::')
  const head = readGroups(before)
  if (after === undefined) return head
  const tail = readGroups(after)
  return [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail]
}

function readGroups(text: string): number[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)]
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
    return [a * 256 + b, c * 256 + d]
  })
}
