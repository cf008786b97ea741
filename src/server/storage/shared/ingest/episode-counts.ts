import { isSlow, timeCell } from '../../../fleet/health/adoption-times.ts'
import {
  eachCell,
  isWeighed,
  networkCell,
  PASSED,
  RECOVERED,
  SLOW_ADOPTION,
} from '../../../fleet/health/cells.ts'
import { ADOPTED, type Episode, STUCK, type Transition } from '../../../fleet/health/episode.ts'
import { evidenceAt, vouched, withoutEpisode } from '../../../fleet/health/weight.ts'
import { COUNTER_WIDTH } from '../batch.ts'
import type { DeviceTable } from '../memory/device-table.ts'
import type { OfferedReleases } from '../memory/offered-releases.ts'

/** Who sent a check-in, and when. */
export interface Sent {
  /** Unix time in milliseconds. */
  readonly at: number
  /** Address key of a caller without a key; undefined with one. */
  readonly caller?: string | undefined
}

/** Counts devices by release, and by what they weigh as evidence, which it keeps in the table. */
export class EpisodeCounts {
  readonly #table: DeviceTable
  readonly #releases: OfferedReleases
  readonly #counters: HealthCounters

  constructor(table: DeviceTable, releases: OfferedReleases, counters: HealthCounters) {
    this.#table = table
    this.#releases = releases
    this.#counters = counters
  }

  /** A key has named the device. */
  vouch(device: number): void {
    this.#table.setEvidence(device, vouched(this.#table.evidence(device)))
  }

  /** Sets what the device weighs from a check-in on that brings it to a state of the episode. */
  weigh(device: number, { release }: Episode, { at, caller }: Sent): void {
    const before = this.#table.evidence(device)
    const offered = this.#releases.get(release)
    if (offered === undefined) {
      this.#table.setEvidence(device, withoutEpisode(before))
      return
    }
    const firstOffer = Math.floor(offered.offeredAt / 1_000)
    const firstSeen = this.#table.firstSeen(device)
    const acquaintance = { firstSeen, firstOffer, at: Math.floor(at / 1_000), caller }
    this.#table.setEvidence(device, evidenceAt(before, acquaintance))
  }

  /** Counts a device in what it counts in now, or out of it. */
  move(
    device: number,
    { release, phase }: Episode,
    interval: number,
    lastSeen: number,
    change: 1 | -1,
  ): void {
    if (release === 0) return
    const count = (cell: number) => this.#counters.add(release, cell, change)
    eachCell(phase, interval, lastSeen, this.#table.evidence(device), count)
  }

  /** Counts what was: an adoption that a check-in shows, and that a device that had adopted the release leaves it. */
  happened(device: number, before: Episode, { took, passed }: Transition, sent: Sent): void {
    if (took !== null) {
      this.weigh(device, { ...before, phase: ADOPTED }, sent)
      const cell = timeCell(took)
      this.#counters.add(before.release, cell, 1)
      if (isSlow(cell)) this.#countWeighed(device, before.release, SLOW_ADOPTION)
      if (before.phase === STUCK) this.#count(device, before.release, RECOVERED)
    }
    if (passed) this.#count(device, before.release, PASSED)
  }

  #count(device: number, release: number, kind: number): void {
    this.#counters.add(release, kind, 1)
    this.#countWeighed(device, release, kind)
  }

  #countWeighed(device: number, release: number, kind: number): void {
    const evidence = this.#table.evidence(device)
    if (isWeighed(evidence)) this.#counters.add(release, networkCell(evidence, kind), 1)
  }
}

/** Cells per release: hours fit until the year 2926. */
const CELL_ROOM = 2 ** 23

/**
 * Changes of the counters of releases since they were last taken; `fleet/health/cells.ts` says what is counted. Every move
 * of a device updates them, so no device is ever read to count.
 */
export class HealthCounters {
  readonly #cells = new Map<number, number>()

  /** Adds to a cell of a release. */
  add(release: number, cell: number, change: number): void {
    const key = release * CELL_ROOM + cell
    this.#cells.set(key, (this.#cells.get(key) ?? 0) + change)
  }

  /** Returns all changes, packed, and resets them. */
  take(): Float64Array {
    const packed = new Float64Array(this.#cells.size * COUNTER_WIDTH)
    let at = 0
    for (const [key, change] of this.#cells) {
      if (change === 0) continue
      packed[at] = Math.floor(key / CELL_ROOM)
      packed[at + 1] = key % CELL_ROOM
      packed[at + 2] = change
      at += COUNTER_WIDTH
    }
    this.#cells.clear()
    return packed.subarray(0, at)
  }
}
