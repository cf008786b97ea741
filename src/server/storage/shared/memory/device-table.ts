import { NONE } from '../../../fleet/health/episode.ts'
import {
  intervalOf,
  packEpisode,
  packProgress,
  packStage,
} from '../../../fleet/health/packed-episode.ts'
import { nextInterval } from '../../../fleet/health/usual-interval.ts'
import { DEVICE_ROW_WIDTH } from '../batch.ts'
import { BehindRows } from './behind-rows.ts'
import {
  CHUNK,
  CHUNK_BITS,
  DOUBLES,
  EPISODE_WORDS,
  emptyChunk,
  INTEGERS,
  LABEL_SET,
  LAST_CHANGE,
  LAST_CHECK_IN,
  LAST_SEEN,
  OFFERED_AT,
  PROFILE,
  PROGRESS,
  RELEASE,
  type RecordViews,
  SharedDevices,
  viewsOf,
  WITHIN,
} from './shared-devices.ts'

/**
 * The last profile, check-in, labels and episode of every device, by number: 51 bytes per device, in memory
 * that other threads may read (see `SharedDevices`). Hands out the rows of the database that are behind.
 */
export class DeviceTable extends SharedDevices {
  readonly #behind = new BehindRows()
  #highest = 0

  /** `chunks`: from `share()` of a table of another thread. */
  constructor(chunks: readonly SharedArrayBuffer[] = []) {
    super(chunks)
  }

  /** The highest assigned number; 0 if there is none. */
  override get highest(): number {
    return this.#highest
  }

  /** Rows that are behind. */
  get behind(): number {
    return this.#behind.count
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

  /** Sets the release that the device was last offered, and its progress, which `set` writes to the database. */
  setEpisode(device: number, release: number, progress: number): void {
    const { episodes } = this.#chunk(device)
    const first = (device & WITHIN) * EPISODE_WORDS
    episodes[first + RELEASE] = release
    episodes[first + PROGRESS] = progress
  }

  /** Sets the Unix time in seconds at which the device was first offered its release. */
  setOfferedAt(device: number, offeredAt: number): void {
    const { episodes } = this.#chunk(device)
    episodes[(device & WITHIN) * EPISODE_WORDS + OFFERED_AT] = offeredAt
  }

  /** Sets what the state of the episode is worth as evidence, which `set` writes to the database. */
  setEvidence(device: number, evidence: number): void {
    this.#chunk(device).evidence[device & WITHIN] = evidence
  }

  /** Learns from the gap between the last check-in and one at `at` (Unix ms) of a device without an episode. */
  learnGap(device: number, at: number): void {
    const { doubles, episodes } = this.#chunk(device)
    const within = device & WITHIN
    const gap = Math.floor((at - (doubles[within * DOUBLES + LAST_SEEN] ?? 0)) / 1_000)
    const before = intervalOf(episodes[within * EPISODE_WORDS + PROGRESS] ?? 0)
    const interval = nextInterval(before, gap)
    if (interval === before) return
    episodes[within * EPISODE_WORDS + PROGRESS] = packProgress(NONE, 0, interval)
  }

  /** Returns the episode as it is stored with the device. */
  episode(device: number): number {
    return packEpisode(this.release(device), this.progress(device))
  }

  /** Returns the episode as it is stored with a check-in. */
  stage(device: number): number {
    const { episodes } = this.#chunk(device)
    const first = (device & WITHIN) * EPISODE_WORDS
    const release = episodes[first + RELEASE] ?? 0
    return release === 0 ? 0 : packStage(release, episodes[first + PROGRESS] ?? 0)
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
    this.#behind.mark(device)
  }

  /** Makes room for numbers up to `device`, and never assigns them (again). */
  reserve(device: number): void {
    if (device <= this.#highest) return
    this.#highest = device
    this.#chunk(device)
  }

  /**
   * Removes a device. Its number is not reused while the log may contain its check-ins, up to `lastCheckIn`.
   */
  forget(device: number, lastCheckIn: number = this.lastCheckIn(device)): void {
    this.reserve(device)
    const { integers, episodes, evidence } = this.#chunk(device)
    const at = device & WITHIN
    evidence[at] = 0
    integers.fill(0, at * INTEGERS, (at + 1) * INTEGERS)
    episodes.fill(0, at * EPISODE_WORDS, (at + 1) * EPISODE_WORDS)
    // A device from before check-ins had numbers may still have some.
    this.setLastCheckIn(device, Math.max(1, lastCheckIn))
    this.#behind.clear(device)
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
    const { devices, wrapped } = this.#behind.take(limit)
    const rows = new Float64Array(devices.length * DEVICE_ROW_WIDTH)
    let at = 0
    for (const device of devices) {
      writeRow(rows, at, this.#chunk(device), device)
      at += DEVICE_ROW_WIDTH
    }
    return { rows, wrapped }
  }

  #chunk(device: number): RecordViews {
    const index = device >>> CHUNK_BITS
    for (let next = this.chunks.length; next <= index; next++) {
      this.chunks.push(viewsOf(emptyChunk()))
    }
    const chunk = this.chunks[index]
    if (chunk === undefined) throw new RangeError(`no such device ${device}`)
    return chunk
  }
}

function writeRow(
  rows: Float64Array,
  at: number,
  { doubles, integers, episodes, evidence }: RecordViews,
  id: number,
): void {
  const within = id & WITHIN
  const first = within * DOUBLES
  const episode = within * EPISODE_WORDS
  rows[at] = integers[within * INTEGERS + PROFILE] ?? 0
  rows[at + 1] = doubles[first + LAST_SEEN] ?? 0
  rows[at + 2] = doubles[first + LAST_CHECK_IN] ?? 0
  rows[at + 3] = doubles[first + LAST_CHANGE] ?? 0
  rows[at + 4] = packEpisode(episodes[episode + RELEASE] ?? 0, episodes[episode + PROGRESS] ?? 0)
  rows[at + 5] = episodes[episode + OFFERED_AT] ?? 0
  rows[at + 6] = evidence[within] ?? 0
  rows[at + 7] = id
}
