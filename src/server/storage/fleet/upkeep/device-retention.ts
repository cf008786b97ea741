import { days } from '../../../fleet/time.ts'
import type { FleetInMemory } from '../fleet-in-memory.ts'
import type { StalePage, StaleQuery } from '../removal/stale-devices.ts'
import { ClockDoubt } from './clock-doubt.ts'

/** Milliseconds between rounds. */
const ROUND = 3_600_000
/** Devices deleted per batch: a few milliseconds on the writer's thread. */
const SLICE = 500

export interface DeviceRetentionOptions {
  /** Days since last seen after which a device is deleted, 0 for never. */
  readonly keepDays: number
  /** The same for devices seen once without a key; 0 treats them like the others. */
  readonly keepSeenOnceDays: number
  /** Finds stale devices off the thread that answers requests. */
  readonly find: (query: StaleQuery) => Promise<StalePage>
  /** Finds numbers that can be reused, on the same thread. */
  readonly findFreed: (chunks: readonly SharedArrayBuffer[]) => Promise<Int32Array>
  /** Called when a round fails. */
  readonly onFailure: (error: unknown) => void
  /** Called with the number of devices that a round deleted, if any. */
  readonly onDeleted: (devices: number) => void
  /** Unix time in milliseconds. */
  readonly clock: () => number
}

/**
 * Deletes devices that were not seen for long, slice by slice, in a round at the start and every hour,
 * and frees the numbers of deleted ones. Deletes nothing while the clock is in doubt.
 */
export class DeviceRetention {
  readonly #fleet: FleetInMemory
  readonly #options: DeviceRetentionOptions
  readonly #doubt: ClockDoubt
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #stopped = false

  constructor(fleet: FleetInMemory, options: DeviceRetentionOptions) {
    this.#fleet = fleet
    this.#options = options
    this.#doubt = new ClockDoubt({ clock: options.clock, newestSeen: fleet.newestSeenAtStart })
  }

  start(): void {
    this.#next(0)
  }

  /** Stops after the slice in progress. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#running
  }

  #next(delay: number): void {
    if (this.#stopped) return
    this.#timer = setTimeout(() => {
      this.#running = this.#round()
        .then(() => this.#reuseNumbers())
        .catch(this.#options.onFailure)
        .then(() => this.#next(ROUND))
    }, delay).unref()
  }

  async #reuseNumbers(): Promise<void> {
    if (this.#stopped) return
    const numbers = await this.#options.findFreed(this.#fleet.shareDevices())
    if (!this.#stopped) this.#fleet.reuseNumbers(numbers)
  }

  async #round(): Promise<void> {
    const { keepDays, keepSeenOnceDays, clock, find, onDeleted } = this.#options
    if (this.#doubt.isDoubtful) return
    const now = clock()
    const limitOf = (kept: number) => (kept === 0 ? Number.NEGATIVE_INFINITY : now - days(kept))
    const limits = { before: limitOf(keepDays), onceBefore: limitOf(keepSeenOnceDays) }
    let [after, deleted] = [0, 0]
    try {
      do {
        const chunks = this.#fleet.shareDevices()
        const { stale, next } = await find({ chunks, ...limits, after, limit: SLICE })
        if (this.#stopped) return
        deleted += this.#fleet.forgetStale(stale)
        after = next
        // The next slice waits until this one is stored.
        if (stale.length > 0) await this.#fleet.settled()
      } while (after !== 0 && !this.#stopped)
    } finally {
      if (deleted > 0) onDeleted(deleted)
    }
  }
}
