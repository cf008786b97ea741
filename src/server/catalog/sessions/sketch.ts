import { hash } from 'node:crypto'

/*
 * Counts distinct devices in a bounded place, from which no device can be read: HyperLogLog of 256 registers, whose standard
 * error is 6.5%. P. Flajolet et al., "HyperLogLog: the analysis of a near-optimal cardinality estimation algorithm" (2007).
 */
const REGISTERS = 256
const ALPHA = 0.7213 / (1 + 1.079 / REGISTERS)

/** Returns the register of a device in the sketch of a release, and the rank that it gives it: 1 to 57, by 56 bits. */
export function registerOf(releaseId: string, device: string): { register: number; rank: number } {
  const bytes = hash('sha256', `${releaseId}:${device}`, 'buffer')
  const first = bytes.readUIntBE(1, 3)
  const leading = first === 0 ? 24 + Math.clz32(bytes.readUInt32BE(4)) : Math.clz32(first) - 8
  return { register: bytes.readUInt8(0), rank: leading + 1 }
}

/** Returns about how many devices registers with these ranks have seen. */
export function devicesIn(ranks: readonly number[]): number {
  const empty = REGISTERS - ranks.length
  const sum = ranks.reduce((all, rank) => all + 2 ** -rank, empty)
  const estimate = (ALPHA * REGISTERS * REGISTERS) / sum
  const isSmall = estimate <= 2.5 * REGISTERS && empty > 0
  return Math.round(isSmall ? REGISTERS * Math.log(REGISTERS / empty) : estimate)
}
