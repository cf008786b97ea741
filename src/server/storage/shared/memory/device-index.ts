import { setImmediate as nextTurn } from 'node:timers/promises'
import { KeyedHash } from './keyed-hash.ts'

const SHARDS = 64
const FIRST_CAPACITY = 64
const FULL = 0.7
/** Integers per slot: the two halves of the hash, and the device's number (0: free). */
const SLOT = 3

interface Shard {
  slots: Int32Array
  /** A power of two, less one. */
  mask: number
  used: number
}

/**
 * Finds the number of a device from its app and id: open addressing over a 64-bit keyed hash,
 * without the ids themselves, so that a million devices cost about 20 MB and no work for the
 * garbage collector. Two devices of a million share a hash with a probability of 3 in 10^8.
 * Split into shards, because growing one table of a million would block every request.
 */
export class DeviceIndex {
  readonly #hash = new KeyedHash()
  #lastApp = 0
  #lastId = ''
  readonly #shards: Shard[] = Array.from({ length: SHARDS }, () => emptyShard(FIRST_CAPACITY))

  /** The device's number, or 0 if it is not known. */
  find(appKey: number, deviceId: string): number {
    const { shard, first, second } = this.#locate(appKey, deviceId)
    return shard.slots[slotOf(shard, first, second) + 2] ?? 0
  }

  /** Remembers a device that is not known yet. `device` is 1 to 2^31 − 1. */
  add(appKey: number, deviceId: string, device: number): void {
    const { shard, first, second } = this.#locate(appKey, deviceId)
    if (shard.used >= (shard.mask + 1) * FULL) grow(shard)
    put(shard, first, second, device)
  }

  /** Removes a device and closes the gap that its slot leaves. Does nothing if it is unknown. */
  remove(appKey: number, deviceId: string): void {
    const { shard, first, second } = this.#locate(appKey, deviceId)
    const at = slotOf(shard, first, second)
    if (shard.slots[at + 2] === 0) return
    take(shard, at)
    shard.used--
  }

  /**
   * Removes every device for whose number `gone` returns true, one shard after the other, with a turn of
   * the event loop in between: a shard of a fleet of a million takes about a millisecond.
   */
  async forget(gone: (device: number) => boolean): Promise<void> {
    for (const shard of this.#shards) {
      rebuild(shard, gone)
      await nextTurn()
    }
  }

  #locate(appKey: number, deviceId: string): { shard: Shard; first: number; second: number } {
    // A request asks for the same device two or three times.
    if (deviceId !== this.#lastId || appKey !== this.#lastApp) {
      this.#hash.compute(appKey, deviceId)
      this.#lastApp = appKey
      this.#lastId = deviceId
    }
    const { first, second } = this.#hash
    const shard = this.#shards[first >>> 26]
    if (shard === undefined) throw new RangeError('no such shard')
    return { shard, first, second }
  }
}

function emptyShard(capacity: number): Shard {
  return { slots: new Int32Array(capacity * SLOT), mask: capacity - 1, used: 0 }
}

/** Returns the start of the slot of that hash, or of the free slot for it. */
function slotOf({ slots, mask }: Shard, first: number, second: number): number {
  let at = (first & mask) * SLOT
  while (slots[at + 2] !== 0) {
    if (slots[at] === first && slots[at + 1] === second) return at
    at = at === mask * SLOT ? 0 : at + SLOT
  }
  return at
}

function put(shard: Shard, first: number, second: number, device: number): void {
  const at = slotOf(shard, first, second)
  if (shard.slots[at + 2] === 0) shard.used++
  shard.slots[at] = first
  shard.slots[at + 1] = second
  shard.slots[at + 2] = device
}

/** Frees the slot at `hole`; entries behind it that could no longer be found move up. */
function take({ slots, mask }: Shard, hole: number): void {
  const end = (mask + 1) * SLOT
  let free = hole
  for (let at = (hole + SLOT) % end; slots[at + 2] !== 0; at = (at + SLOT) % end) {
    const home = ((slots[at] ?? 0) & mask) * SLOT
    if ((at - home + end) % end < (at - free + end) % end) continue
    slots.copyWithin(free, at, at + SLOT)
    free = at
  }
  slots.fill(0, free, free + SLOT)
}

function rebuild(shard: Shard, gone: (device: number) => boolean): void {
  const old = shard.slots
  Object.assign(shard, emptyShard(shard.mask + 1))
  for (let at = 0; at < old.length; at += SLOT) {
    const device = old[at + 2] ?? 0
    if (device !== 0 && !gone(device)) put(shard, old[at] ?? 0, old[at + 1] ?? 0, device)
  }
}

function grow(shard: Shard): void {
  const old = shard.slots
  const larger = emptyShard((shard.mask + 1) * 2)
  for (let at = 0; at < old.length; at += SLOT) {
    const device = old[at + 2] ?? 0
    if (device !== 0) put(larger, old[at] ?? 0, old[at + 1] ?? 0, device)
  }
  Object.assign(shard, larger)
}
