import { networkKey } from '../../runtime/limits/address-key.ts'
import { dayOf } from '../time.ts'

/*
 * What a device weighs as evidence about the release that it was last offered. Stored numbers, never renumbered:
 * - `NEW`: not known before the release was first offered, or seen on one day only. Anyone can invent such devices
 * - `KNOWN`: known before, and seen on more than one day
 * - `KEYED`: a call with a key brought it to its state
 * - `LONG_KNOWN`: known for 7 days when the release was first offered
 */
export const NEW = 0
export const KNOWN = 1
export const KEYED = 2
export const LONG_KNOWN = 3
export type Weight = typeof NEW | typeof KNOWN | typeof KEYED | typeof LONG_KNOWN

/** Seconds for which a device must have been known when a release was first offered to be `LONG_KNOWN`. */
const LONG = 7 * 86_400
/** Of evidence: a call with a key has named the device. The weight is below, the network above. */
const VOUCHED = 4
const NETWORK_SHIFT = 3
/** Numbers of networks: several share one, so that the counters of a release stay small. 0: not known. */
export const NETWORKS = 256
/** The number of all private networks (RFC 1918, RFC 4193), link-local ones and this computer. */
const LOCAL_NETWORK = NETWORKS - 1
const LOCAL =
  /^(?:10\.|127\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|f[cd][\da-f]{2}:|fe[89ab][\da-f]:|0:0:0:0::)/

/** What is known of a device and its release at a check-in. Times are Unix time in seconds. */
export interface Acquaintance {
  readonly firstSeen: number
  /** When the release was first offered to any device. */
  readonly firstOffer: number
  readonly at: number
  /** Address key of a caller without a key; undefined with one. */
  readonly caller: string | undefined
}

/** Returns the evidence of a device that a check-in brings to another state of its episode. `before`: its last one. */
export function evidenceAt(
  before: number,
  { firstSeen, firstOffer, at, caller }: Acquaintance,
): number {
  if (caller === undefined) return VOUCHED | KEYED
  const network = networkNumber(caller) << NETWORK_SHIFT
  const isKnown = firstSeen < firstOffer && dayOf(at * 1_000) > dayOf(firstSeen * 1_000)
  if (isKnown) {
    const isLong = firstOffer - firstSeen >= LONG
    return network | (before & VOUCHED) | (isLong ? LONG_KNOWN : KNOWN)
  }
  // Its ID came with a key, and what it did did not.
  return network | (isVouched(before) ? VOUCHED | KNOWN : NEW)
}

/** Returns the evidence of a device that a key names. Its weight stays as it is. */
export function vouched(evidence: number): number {
  return evidence | VOUCHED
}

/** Returns what is left of the evidence of a device without an episode. */
export function withoutEpisode(evidence: number): number {
  return evidence & VOUCHED
}

export function weightOf(evidence: number): Weight {
  return (evidence & 3) as Weight
}

/** The number of the network that the state came from; 0 if it is not known or came with a key. */
export function networkOf(evidence: number): number {
  return evidence >>> NETWORK_SHIFT
}

/** Returns whether a call with a key has named the device. */
export function isVouched(evidence: number): boolean {
  return (evidence & VOUCHED) !== 0
}

/** Returns the number of the network of an address key, from 1: FNV-1a of the /24 or /48. */
export function networkNumber(caller: string): number {
  if (LOCAL.test(caller)) return LOCAL_NETWORK
  const network = networkKey(caller)
  let hash = 0x811c_9dc5
  for (let at = 0; at < network.length; at++) {
    hash = Math.imul(hash ^ network.charCodeAt(at), 0x0100_0193)
  }
  return 1 + ((hash >>> 0) % (LOCAL_NETWORK - 1))
}
