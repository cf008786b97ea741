import { DEVICE_ROW_WIDTH } from '../batch.ts'
import {
  CHUNK,
  CHUNK_BITS,
  DOUBLES,
  emptyChunk,
  INTEGERS,
  LABEL_SET,
  LAST_CHANGE,
  LAST_CHECK_IN,
  LAST_SEEN,
  PROFILE,
  type RecordViews,
  SharedDevices,
  viewsOf,
  WITHIN,
} from './shared-devices.ts'

/** Which rows of a chunk are behind. */
interface Behind {
  readonly flags: Uint8Array
  count: number
}

/**
 * The last profile, check-in and labels of every device, by number: 37 bytes per device, in memory
 * that other threads may read (see `SharedDevices`). Remembers which rows of the database are
 * behind, and hands them out in rounds through the table, because rows in order cost a twentieth
 * of rows at random.
 */
export class DeviceTable extends SharedDevices {
  readonly #behindByChunk: Behind[] = []
  #highest = 0
  #cursor = 0
  #behind = 0

  constructor() {
    super([])
  }

  /** The highest assigned number; 0 if there is none. */
  override get highest(): number {
    return this.#highest
  }

  /** Rows that are behind. */
  get behind(): number {
    return this.#behind
  }

  /** Returns the memory of the devices, for a reader thread. It does not contain later chunks. */
  share(): readonly SharedArrayBuffer[] {
    return this.chunks.map(({ memory }) => memory)
  }

  setLabelSet(device: number, labelSet: number): void {
    this.#chunk(device).integers[(device & WITHIN) * INTEGERS + LABEL_SET] = labelSet
  }

  /** Sets the newest check-in, which may not be in the database yet. */
  setLastCheckIn(device: number, checkIn: number): void {
    this.#chunk(device).doubles[(device & WITHIN) * DOUBLES + LAST_CHECK_IN] = checkIn
  }

  /** Sets the newest profile change, which may not be in the database yet. */
  setLastChange(device: number, change: number): void {
    this.#chunk(device).doubles[(device & WITHIN) * DOUBLES + LAST_CHANGE] = change
  }

  /** `at`: Unix time in milliseconds. */
  setFirstSeen(device: number, at: number): void {
    this.#chunk(device).firstSeen[device & WITHIN] = Math.floor(at / 1_000)
  }

  /** Sets data that is already in the database. */
  load(device: number, profile: number, lastSeen: number): void {
    const { doubles, integers } = this.#chunk(device)
    const within = device & WITHIN
    doubles[within * DOUBLES + LAST_SEEN] = lastSeen
    integers[within * INTEGERS + PROFILE] = profile
    if (device > this.#highest) this.#highest = device
  }

  /** Sets data that is not in the database yet. */
  set(device: number, profile: number, lastSeen: number): void {
    this.load(device, profile, lastSeen)
    const behind = this.#behindOf(device)
    if (behind.flags[device & WITHIN] === 1) return
    behind.flags[device & WITHIN] = 1
    behind.count++
    this.#behind++
  }

  /** Never assigns numbers up to `device` (again). */
  reserve(device: number): void {
    if (device > this.#highest) this.#highest = device
  }

  /**
   * Removes a device. Its number is not reused while the log may contain its check-ins, up to `lastCheckIn`.
   */
  forget(device: number, lastCheckIn: number = this.lastCheckIn(device)): void {
    this.reserve(device)
    const { integers } = this.#chunk(device)
    const at = device & WITHIN
    integers.fill(0, at * INTEGERS, (at + 1) * INTEGERS)
    // A device from before check-ins had numbers may still have some.
    this.setLastCheckIn(device, Math.max(1, lastCheckIn))
    const behind = this.#behindOf(device)
    if (behind.flags[at] === 0) return
    behind.flags[at] = 0
    behind.count--
    this.#behind--
  }

  /** A copy of every device's profile, by number; 0 if a number is not in use. Threads can share it. */
  profiles(): Int32Array<SharedArrayBuffer> {
    const bytes = this.chunks.length * CHUNK * Int32Array.BYTES_PER_ELEMENT
    const profiles = new Int32Array(new SharedArrayBuffer(bytes))
    for (const [index, { integers }] of this.chunks.entries()) {
      for (let at = 0; at < CHUNK; at++) {
        profiles[index * CHUNK + at] = integers[at * INTEGERS + PROFILE] ?? 0
      }
    }
    return profiles
  }

  /**
   * Takes about `limit` rows that are behind, by ascending number, from the end of the last call. `wrapped`:
   * the end of the table was reached, and the next call starts over.
   */
  takeBehind(limit: number): { rows: Float64Array; wrapped: boolean } {
    const rows: number[] = []
    const end = this.chunks.length * CHUNK
    while (this.#cursor < end && rows.length < limit * DEVICE_ROW_WIDTH) {
      this.#takeFromChunk(rows, limit)
    }
    const wrapped = this.#cursor >= end
    if (wrapped) this.#cursor = 0
    return { rows: Float64Array.from(rows), wrapped }
  }

  #takeFromChunk(rows: number[], limit: number): void {
    const base = this.#cursor & ~WITHIN
    const chunk = this.#chunk(base)
    const behind = this.#behindOf(base)
    for (let at = this.#cursor - base; at < CHUNK; at++) {
      if (behind.count === 0) break
      if (rows.length >= limit * DEVICE_ROW_WIDTH) {
        this.#cursor = base + at
        return
      }
      if (behind.flags[at] === 0) continue
      behind.flags[at] = 0
      behind.count--
      this.#behind--
      pushRow(rows, chunk, at, base + at)
    }
    this.#cursor = base + CHUNK
  }

  #chunk(device: number): RecordViews {
    const index = device >>> CHUNK_BITS
    for (let next = this.chunks.length; next <= index; next++) {
      this.chunks.push(viewsOf(emptyChunk()))
      this.#behindByChunk.push({ flags: new Uint8Array(CHUNK), count: 0 })
    }
    const chunk = this.chunks[index]
    if (chunk === undefined) throw new RangeError(`no such device ${device}`)
    return chunk
  }

  #behindOf(device: number): Behind {
    const behind = this.#behindByChunk[device >>> CHUNK_BITS]
    if (behind === undefined) throw new RangeError(`no such device ${device}`)
    return behind
  }
}

function pushRow(rows: number[], { doubles, integers }: RecordViews, at: number, id: number): void {
  const first = at * DOUBLES
  rows.push(
    integers[at * INTEGERS + PROFILE] ?? 0,
    doubles[first + LAST_SEEN] ?? 0,
    doubles[first + LAST_CHECK_IN] ?? 0,
    doubles[first + LAST_CHANGE] ?? 0,
    id,
  )
}
