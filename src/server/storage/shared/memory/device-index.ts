import { setImmediate as nextTurn } from 'node:timers/promises'
import { KeyedHash } from './keyed-hash.ts'

const SHARD_BITS = 6
const SHARDS = 1 << SHARD_BITS
const FIRST_CAPACITY = 64
/** The share of the slots from which a shard grows, and how many times as large it is then. */
const FULL = 0.75
const GROWTH = 1.25
/** The share of the slots that the devices of a start take: shards differ by a few percent. */
const RESERVED = 0.7
/** Integers per slot: the two halves of the hash, and the device's number (0: free). */
const SLOT = 3

interface Shard {
  slots: Int32Array
  used: number
}

/**
 * Finds the number of a device from its app and id: open addressing over a 64-bit keyed hash,
 * without the ids themselves, so that a million devices cost 17 MB and no work for the
 * garbage collector. Two devices of a million share a hash with a probability of 3 in 10^8.
 * Split into shards, because growing one table of a million would block every request.
 */
export class DeviceIndex {
  readonly #hash = new KeyedHash()
  #lastApp = 0
  #lastId = ''
  readonly #shards = Array.from({ length: SHARDS }, () => emptyShard(FIRST_CAPACITY))

  /** Makes room in an empty index for that many devices, which `append` then adds. */
  reserve(devices: number): void {
    const capacity = Math.ceil(devices / SHARDS / RESERVED)
    for (const shard of this.#shards) resize(shard, Math.max(FIRST_CAPACITY, capacity))
  }

  /**
   * Adds one of many devices. None is found before `arrange`: to put each into its slot at once waits for memory that is in
   * no cache of the processor.
   */
  append(appKey: number, deviceId: string, device: number): void {
    const { shard, first, second } = this.#locate(appKey, deviceId)
    const at = shard.used++ * SLOT
    if (at === shard.slots.length) {
      const larger = new Int32Array(at * 2)
      larger.set(shard.slots)
      shard.slots = larger
    }
    write(shard.slots, at, first, second, device)
  }

  /** Puts what was appended into its slots. */
  arrange(): void {
    // One copy for all: what is freed of many would stay with the process.
    const copy = new Int32Array(Math.max(...this.#shards.map(({ used }) => used)) * SLOT)
    for (const shard of this.#shards) {
      const { slots, used } = shard
      const appended = copy.subarray(0, used * SLOT)
      appended.set(slots.subarray(0, appended.length))
      if (used > (slots.length / SLOT) * FULL) shard.slots = new Int32Array(appended.length * 2)
      else slots.fill(0)
      shard.used = 0
      putAll(shard, appended)
    }
  }

  /** The device's number, or 0 if it is not known. */
  find(appKey: number, deviceId: string): number {
    const { shard, first, second } = this.#locate(appKey, deviceId)
    return shard.slots[slotOf(shard, first, second) + 2] ?? 0
  }

  /** Remembers a device that is not known yet. `device` is 1 to 2^31 − 1. */
  add(appKey: number, deviceId: string, device: number): void {
    const { shard, first, second } = this.#locate(appKey, deviceId)
    const capacity = shard.slots.length / SLOT
    if (shard.used >= capacity * FULL) resize(shard, Math.ceil(capacity * GROWTH))
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
      resize(shard, shard.slots.length / SLOT, gone)
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
    const shard = this.#shards[first >>> (32 - SHARD_BITS)]
    if (shard === undefined) throw new RangeError('no such shard')
    return { shard, first, second }
  }
}

function emptyShard(capacity: number): Shard {
  return { slots: new Int32Array(capacity * SLOT), used: 0 }
}

/** Returns the start of the slot where a hash belongs. The bits that choose the shard are the same in all of it. */
function homeOf(slots: Int32Array, first: number): number {
  const share = ((first << SHARD_BITS) >>> 0) / 2 ** 32
  return Math.floor(share * (slots.length / SLOT)) * SLOT
}

/** Returns the start of the slot of that hash, or of the free slot for it. */
function slotOf({ slots }: Shard, first: number, second: number): number {
  let at = homeOf(slots, first)
  while (slots[at + 2] !== 0) {
    if (slots[at] === first && slots[at + 1] === second) return at
    at += SLOT
    if (at === slots.length) at = 0
  }
  return at
}

function put(shard: Shard, first: number, second: number, device: number): void {
  const at = slotOf(shard, first, second)
  if (shard.slots[at + 2] === 0) shard.used++
  write(shard.slots, at, first, second, device)
}

/** Puts the devices of other slots, except those that are gone. */
function putAll(shard: Shard, from: Int32Array, gone = (_device: number) => false): void {
  for (let at = 0; at < from.length; at += SLOT) {
    const device = from[at + 2] ?? 0
    if (device !== 0 && !gone(device)) put(shard, from[at] ?? 0, from[at + 1] ?? 0, device)
  }
}

function write(slots: Int32Array, at: number, first: number, second: number, device: number): void {
  slots[at] = first
  slots[at + 1] = second
  slots[at + 2] = device
}

/** Frees the slot at `hole`; entries behind it that could no longer be found move up. */
function take({ slots }: Shard, hole: number): void {
  const end = slots.length
  let free = hole
  for (let at = (hole + SLOT) % end; slots[at + 2] !== 0; at = (at + SLOT) % end) {
    const home = homeOf(slots, slots[at] ?? 0)
    if ((at - home + end) % end < (at - free + end) % end) continue
    slots.copyWithin(free, at, at + SLOT)
    free = at
  }
  slots.fill(0, free, free + SLOT)
}

/** Moves the devices of a shard to as many slots as `capacity`, except those that are gone. */
function resize(shard: Shard, capacity: number, gone?: (device: number) => boolean): void {
  const old = shard.slots
  Object.assign(shard, emptyShard(capacity))
  putAll(shard, old, gone)
}
