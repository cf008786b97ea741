import { CHUNK, CHUNK_BITS, WITHIN } from './shared-devices.ts'

/** Which rows of a chunk are behind. */
interface Behind {
  readonly flags: Uint8Array
  count: number
}

/**
 * Remembers which rows of the database are behind the devices in memory, and hands them out in rounds, because rows in
 * order cost a twentieth of rows at random.
 */
export class BehindRows {
  readonly #byChunk: Behind[] = []
  #cursor = 0
  #count = 0

  /** Rows that are behind. */
  get count(): number {
    return this.#count
  }

  mark(device: number): void {
    const behind = this.#behindOf(device)
    if (behind.flags[device & WITHIN] === 1) return
    behind.flags[device & WITHIN] = 1
    behind.count++
    this.#count++
  }

  clear(device: number): void {
    this.#clear(this.#behindOf(device), device & WITHIN)
  }

  /**
   * Takes about `limit` rows, by ascending number, from the end of the last call. `wrapped`: the end was reached, and the
   * next call starts over.
   */
  take(limit: number): { readonly devices: readonly number[]; readonly wrapped: boolean } {
    const devices: number[] = []
    const end = this.#byChunk.length * CHUNK
    while (this.#cursor < end && devices.length < limit) this.#takeFromChunk(devices, limit)
    const wrapped = this.#cursor >= end
    if (wrapped) this.#cursor = 0
    return { devices, wrapped }
  }

  #takeFromChunk(devices: number[], limit: number): void {
    const base = this.#cursor & ~WITHIN
    const behind = this.#behindOf(base)
    for (let at = this.#cursor - base; at < CHUNK; at++) {
      if (behind.count === 0) break
      if (devices.length >= limit) {
        this.#cursor = base + at
        return
      }
      if (behind.flags[at] === 0) continue
      this.#clear(behind, at)
      devices.push(base + at)
    }
    this.#cursor = base + CHUNK
  }

  #clear(behind: Behind, at: number): void {
    if (behind.flags[at] === 0) return
    behind.flags[at] = 0
    behind.count--
    this.#count--
  }

  #behindOf(device: number): Behind {
    const index = device >>> CHUNK_BITS
    for (let next = this.#byChunk.length; next <= index; next++) {
      this.#byChunk.push({ flags: new Uint8Array(CHUNK), count: 0 })
    }
    const behind = this.#byChunk[index]
    if (behind === undefined) throw new RangeError(`no such device ${device}`)
    return behind
  }
}
