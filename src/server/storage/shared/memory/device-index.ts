import { randomBytes } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'

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

/**
 * HalfSipHash-2-4 with a 64-bit result (Aumasson and Bernstein, SipHash's variant of 32-bit words,
 * as in its reference implementation). Keyed, because callers choose device ids and must not be
 * able to choose collisions.
 */
export class KeyedHash {
  /** Results of the last `compute`: signed 32-bit integers. Fields, so that no call allocates. */
  first = 0
  second = 0
  readonly #k0: number
  readonly #k1: number
  #words = new Int32Array(64)

  /** `key`: 8 bytes; random by default. */
  constructor(key: Uint8Array = randomBytes(8)) {
    const view = new DataView(key.buffer, key.byteOffset, 8)
    this.#k0 = view.getInt32(0, true)
    this.#k1 = view.getInt32(4, true)
  }

  /** Hashes the 32-bit `prefix`, little endian, and then `text`, whose characters are below 256. */
  compute(prefix: number, text: string): void {
    const length = this.#pack(prefix, text)
    const words = this.#words
    let v0 = this.#k0
    let v1 = this.#k1 ^ 0xee
    let v2 = 0x6c796765 ^ this.#k0
    let v3 = 0x74656462 ^ this.#k1
    // One iteration per word and two to finish, so that the round is written only once.
    for (let step = 0; step < length + 2; step++) {
      const word = step < length ? (words[step] ?? 0) : 0
      v3 ^= word
      if (step === length) v2 ^= 0xee
      else if (step > length) v1 ^= 0xdd
      const rounds = step < length ? 2 : 4
      for (let round = 0; round < rounds; round++) {
        v0 = (v0 + v1) | 0
        v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0
        v0 = (v0 << 16) | (v0 >>> 16)
        v2 = (v2 + v3) | 0
        v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2
        v0 = (v0 + v3) | 0
        v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0
        v2 = (v2 + v1) | 0
        v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2
        v2 = (v2 << 16) | (v2 >>> 16)
      }
      v0 ^= word
      if (step === length) this.first = v1 ^ v3
    }
    this.second = v1 ^ v3
  }

  /** Fills `#words` and returns their number. The last contains the remaining bytes and the byte count. */
  #pack(prefix: number, text: string): number {
    const length = (text.length >>> 2) + 2
    if (length > this.#words.length) this.#words = new Int32Array(length * 2)
    const words = this.#words
    words[0] = prefix
    const whole = text.length & ~3
    let word = 1
    for (let at = 0; at < whole; at += 4, word++) {
      words[word] =
        text.charCodeAt(at) |
        (text.charCodeAt(at + 1) << 8) |
        (text.charCodeAt(at + 2) << 16) |
        (text.charCodeAt(at + 3) << 24)
    }
    let tail = (text.length + 4) << 24
    for (let at = whole; at < text.length; at++) tail |= text.charCodeAt(at) << ((at & 3) << 3)
    words[word] = tail
    return length
  }
}
