import { DEVICE_ROW_WIDTH } from './store.ts'

/** Devices in one chunk, a power of two. Chunks, so that growing never copies. */
const CHUNK_BITS = 14
const CHUNK = 1 << CHUNK_BITS
const WITHIN = CHUNK - 1
/** Bytes of a device: all that a check reads of it is in one line of the processor's cache. */
const RECORD = 16
const PROFILE = 2
const LABEL_SET = 3

interface Chunk {
  /** Of each device two numbers: the last check-in, and what `integers` sees as two. */
  readonly times: Float64Array
  /** The same memory, four integers a device: the last check-in, profile, label set. */
  readonly integers: Int32Array
  readonly behind: Uint8Array
  behindCount: number
}

/**
 * The last profile, check-in and labels of every device, by number, in typed arrays: 17 bytes a device.
 * Remembers which rows of the database are behind, and hands them out in rounds through the
 * table, because rows in order cost a twentieth of rows at random.
 */
export class DeviceTable {
  readonly #chunks: Chunk[] = []
  #highest = 0
  #cursor = 0
  #behind = 0

  /** The highest number in use; 0 where there is none. */
  get highest(): number {
    return this.#highest
  }

  /** Rows that are behind. */
  get behind(): number {
    return this.#behind
  }

  /** The device's profile, 0 where the number is not in use. */
  profile(device: number): number {
    return this.#chunks[device >>> CHUNK_BITS]?.integers[(device & WITHIN) * 4 + PROFILE] ?? 0
  }

  /** Unix time in milliseconds of the last check-in. */
  lastSeen(device: number): number {
    return this.#chunks[device >>> CHUNK_BITS]?.times[(device & WITHIN) * 2] ?? 0
  }

  /** The number of the device's label set. */
  labelSet(device: number): number {
    return this.#chunks[device >>> CHUNK_BITS]?.integers[(device & WITHIN) * 4 + LABEL_SET] ?? 0
  }

  setLabelSet(device: number, labelSet: number): void {
    this.#chunk(device).integers[(device & WITHIN) * 4 + LABEL_SET] = labelSet
  }

  /** Sets what the database holds already. */
  load(device: number, profile: number, lastSeen: number): void {
    const chunk = this.#chunk(device)
    const within = device & WITHIN
    chunk.times[within * 2] = lastSeen
    chunk.integers[within * 4 + PROFILE] = profile
    if (device > this.#highest) this.#highest = device
  }

  /** Sets what the database does not hold yet. */
  set(device: number, profile: number, lastSeen: number): void {
    this.load(device, profile, lastSeen)
    const chunk = this.#chunk(device)
    if (chunk.behind[device & WITHIN] === 1) return
    chunk.behind[device & WITHIN] = 1
    chunk.behindCount++
    this.#behind++
  }

  /** Numbers up to `device` are never given out (again). */
  reserve(device: number): void {
    if (device > this.#highest) this.#highest = device
  }

  /** The device is not there any more. Its number stays out of use. */
  forget(device: number): void {
    const chunk = this.#chunk(device)
    const at = device & WITHIN
    chunk.integers.fill(0, at * 4, at * 4 + 4)
    if (chunk.behind[at] === 0) return
    chunk.behind[at] = 0
    chunk.behindCount--
    this.#behind--
  }

  /** A copy of every device's profile, by number; 0 where a number is not in use. */
  profiles(): Int32Array<ArrayBuffer> {
    const profiles = new Int32Array(this.#chunks.length * CHUNK)
    for (const [index, { integers }] of this.#chunks.entries()) {
      for (let at = 0; at < CHUNK; at++) {
        profiles[index * CHUNK + at] = integers[at * 4 + PROFILE] ?? 0
      }
    }
    return profiles
  }

  /**
   * Takes about `limit` rows that are behind, lowest number first from where the last call
   * stopped. `wrapped`: the end of the table was reached, and the next call starts over.
   */
  takeBehind(limit: number): { rows: Float64Array; wrapped: boolean } {
    const rows: number[] = []
    while (this.#cursor < this.#chunks.length * CHUNK && rows.length < limit * DEVICE_ROW_WIDTH) {
      this.#takeFromChunk(rows, limit)
    }
    const wrapped = this.#cursor >= this.#chunks.length * CHUNK
    if (wrapped) this.#cursor = 0
    return { rows: Float64Array.from(rows), wrapped }
  }

  #takeFromChunk(rows: number[], limit: number): void {
    const base = this.#cursor & ~WITHIN
    const chunk = this.#chunk(base)
    for (let at = this.#cursor - base; at < CHUNK; at++) {
      if (chunk.behindCount === 0) break
      if (rows.length >= limit * DEVICE_ROW_WIDTH) {
        this.#cursor = base + at
        return
      }
      if (chunk.behind[at] === 0) continue
      chunk.behind[at] = 0
      chunk.behindCount--
      this.#behind--
      rows.push(chunk.integers[at * 4 + PROFILE] ?? 0, chunk.times[at * 2] ?? 0, base + at)
    }
    this.#cursor = base + CHUNK
  }

  #chunk(device: number): Chunk {
    const index = device >>> CHUNK_BITS
    for (let next = this.#chunks.length; next <= index; next++) {
      const memory = new ArrayBuffer(CHUNK * RECORD)
      this.#chunks.push({
        times: new Float64Array(memory),
        integers: new Int32Array(memory),
        behind: new Uint8Array(CHUNK),
        behindCount: 0,
      })
    }
    const chunk = this.#chunks[index]
    if (chunk === undefined) throw new RangeError(`no such device ${device}`)
    return chunk
  }
}
