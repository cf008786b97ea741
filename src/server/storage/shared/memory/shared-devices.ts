/** Devices in one chunk, a power of two. Chunks, so that growing never copies. */
export const CHUNK_BITS = 14
export const CHUNK = 1 << CHUNK_BITS
export const WITHIN = CHUNK - 1
/** Bytes per device: everything that a check reads is in one cache line of the processor. */
const RECORD = 32
/** The offset of a number in a record, in words of its view. */
export const DOUBLES = RECORD / 8
export const LAST_SEEN = 0
export const LAST_CHECK_IN = 2
export const LAST_CHANGE = 3
export const INTEGERS = RECORD / 4
export const PROFILE = 2
export const LABEL_SET = 3

/**
 * Bytes per device outside its record: when it was first seen, its episode (see `fleet/health/episode.ts`), and what that
 * is worth as evidence (see `fleet/health/weight.ts`).
 */
const FIRST_SEEN = 4
export const EPISODE_WORDS = 3
const EPISODE = EPISODE_WORDS * 4
const EVIDENCE = 2
export const RELEASE = 0
export const PROGRESS = 1
export const OFFERED_AT = 2

/** The memory of one chunk, as three kinds of numbers. */
export interface RecordViews {
  readonly memory: SharedArrayBuffer
  readonly doubles: Float64Array
  readonly integers: Int32Array
  /** Seconds since 1970-01-01 UTC, one number per device. */
  readonly firstSeen: Uint32Array
  readonly episodes: Uint32Array
  readonly evidence: Uint16Array
}

/** Memory for one more chunk. */
export function emptyChunk(): SharedArrayBuffer {
  return new SharedArrayBuffer(CHUNK * (RECORD + FIRST_SEEN + EPISODE + EVIDENCE))
}

export function viewsOf(memory: SharedArrayBuffer): RecordViews {
  return {
    memory,
    doubles: new Float64Array(memory, 0, CHUNK * DOUBLES),
    integers: new Int32Array(memory, 0, CHUNK * INTEGERS),
    firstSeen: new Uint32Array(memory, CHUNK * RECORD, CHUNK),
    episodes: new Uint32Array(memory, CHUNK * (RECORD + FIRST_SEEN), CHUNK * EPISODE_WORDS),
    evidence: new Uint16Array(memory, CHUNK * (RECORD + FIRST_SEEN + EPISODE), CHUNK),
  }
}

/**
 * Reads the devices that a `DeviceTable` shares, on any thread and without a copy, while checks continue. Two
 * numbers of a device may come from different check-ins.
 */
export class SharedDevices {
  protected readonly chunks: RecordViews[]

  /** `chunks`: from `DeviceTable.share()`. Devices of later chunks are not included. */
  constructor(chunks: readonly SharedArrayBuffer[]) {
    this.chunks = chunks.map(viewsOf)
  }

  /** The highest number in use now; 0 if there is none. Walks back from the end. */
  get highest(): number {
    let device = this.chunks.length * CHUNK - 1
    while (device > 0 && this.profile(device) === 0) device--
    return Math.max(0, device)
  }

  /** The highest number that memory is allocated for. */
  get room(): number {
    return this.chunks.length * CHUNK - 1
  }

  /** Counts devices by profile, up to the number `highest`, in an array for `room` profiles. */
  countByProfile(highest: number, room: number): Uint32Array {
    const counts = new Uint32Array(room)
    for (const [index, { integers }] of this.chunks.entries()) {
      const end = Math.min(CHUNK, highest + 1 - index * CHUNK) * INTEGERS
      for (let at = PROFILE; at < end; at += INTEGERS) {
        const profile = integers[at] ?? 0
        counts[profile] = (counts[profile] ?? 0) + 1
      }
    }
    return counts
  }

  /** The device's profile, 0 if the number is not in use. */
  profile(device: number): number {
    return this.chunks[device >>> CHUNK_BITS]?.integers[(device & WITHIN) * INTEGERS + PROFILE] ?? 0
  }

  /** Unix time in milliseconds of the last check-in. */
  lastSeen(device: number): number {
    return this.chunks[device >>> CHUNK_BITS]?.doubles[(device & WITHIN) * DOUBLES + LAST_SEEN] ?? 0
  }

  /** Unix time in seconds of the first check-in. */
  firstSeen(device: number): number {
    return this.chunks[device >>> CHUNK_BITS]?.firstSeen[device & WITHIN] ?? 0
  }

  /** The number of the release that the device was last offered, 0 for none. */
  release(device: number): number {
    return this.#episode(device, RELEASE)
  }

  /** What became of the offer, and the device's usual interval; see `packProgress`. */
  progress(device: number): number {
    return this.#episode(device, PROGRESS)
  }

  /** Unix time in seconds of the first offer of the release. */
  offeredAt(device: number): number {
    return this.#episode(device, OFFERED_AT)
  }

  /** What the state of the episode is worth as evidence. */
  evidence(device: number): number {
    return this.chunks[device >>> CHUNK_BITS]?.evidence[device & WITHIN] ?? 0
  }

  /** The number of the device's label set. */
  labelSet(device: number): number {
    return (
      this.chunks[device >>> CHUNK_BITS]?.integers[(device & WITHIN) * INTEGERS + LABEL_SET] ?? 0
    )
  }

  /**
   * The id of the last check-in, 0 if it is not known. It may still be waiting to be written.
   * That of a forgotten device stays until its number can be reused.
   */
  lastCheckIn(device: number): number {
    return (
      this.chunks[device >>> CHUNK_BITS]?.doubles[(device & WITHIN) * DOUBLES + LAST_CHECK_IN] ?? 0
    )
  }

  /** The id of the last profile change, 0 if none is known. It may not be written yet. */
  lastChange(device: number): number {
    return (
      this.chunks[device >>> CHUNK_BITS]?.doubles[(device & WITHIN) * DOUBLES + LAST_CHANGE] ?? 0
    )
  }

  #episode(device: number, word: typeof RELEASE | typeof PROGRESS | typeof OFFERED_AT): number {
    const episodes = this.chunks[device >>> CHUNK_BITS]?.episodes
    return episodes?.[(device & WITHIN) * EPISODE_WORDS + word] ?? 0
  }
}
