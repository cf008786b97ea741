import { ScheduledJob } from '../../runtime/async/scheduled-job.ts'
import type { FleetRecorder, FleetUpkeep } from '../store.ts'
import { dayOf, days } from '../time.ts'

/** Milliseconds by which the clock can be ahead of the last check-in at a start. */
const MAX_GAP = days(30)
/** Milliseconds by which the clock can run ahead of the monotonic clock. */
const MAX_JUMP = days(1)
/** Milliseconds that a doubt lasts, enough for devices in use to check in. */
const DOUBT = days(1)

interface ClockDoubtOptions {
  /** Unix time in milliseconds. */
  readonly clock: () => number
  /** Unix time in milliseconds of the newest check-in; 0 if there is none. */
  readonly newestSeen: number
  /** Milliseconds of a monotonic clock. */
  readonly elapsed?: (() => number) | undefined
}

/**
 * Detects when ages cannot be trusted. A clock that is years ahead makes every device look unused, and so does
 * a long downtime of the server, so devices get a day to check in first.
 */
export class ClockDoubt {
  readonly #clock: () => number
  readonly #elapsed: () => number
  #asked: { readonly clock: number; readonly elapsed: number }
  #until: number

  constructor({ clock, newestSeen, elapsed = () => performance.now() }: ClockDoubtOptions) {
    this.#clock = clock
    this.#elapsed = elapsed
    this.#asked = { clock: clock(), elapsed: elapsed() }
    const gap = newestSeen === 0 ? 0 : this.#asked.clock - newestSeen
    this.#until = gap > MAX_GAP ? this.#asked.elapsed + DOUBT : Number.NEGATIVE_INFINITY
  }

  /** Returns whether work that depends on ages must wait. */
  get isDoubtful(): boolean {
    const now = { clock: this.#clock(), elapsed: this.#elapsed() }
    const jump = now.clock - this.#asked.clock - (now.elapsed - this.#asked.elapsed)
    this.#asked = now
    if (jump > MAX_JUMP) this.#until = now.elapsed + DOUBT
    return now.elapsed < this.#until
  }
}

/** Milliseconds between rounds. */
const EVERY = 60_000
/** The same of samples, each round of which adds at most one per release and hour. */
const SAMPLES_EVERY = 20 * 60_000
const DEVICES_EVERY = 3_600_000
/** Days after which unused profiles are reclaimed if check-ins are kept forever. */
const FOREVER = 400

export interface FleetJobOptions {
  /** Called when a round fails. */
  readonly onFailure: (error: unknown) => void
  /** Unix time in milliseconds. */
  readonly clock: () => number
}

export interface CheckInOptions extends FleetJobOptions {
  /** Days that check-ins are kept; 0 means forever. */
  readonly keepDays: number
}

export interface DeviceRetentionOptions extends FleetJobOptions {
  /** Days since last seen after which a device is deleted, 0 for never. */
  readonly keepDays: number
  /** The same for devices seen once without a key; 0 treats them like the others. */
  readonly keepSeenOnceDays: number
  /** Called with the number of devices that a round deleted, if any. */
  readonly onDeleted: (devices: number) => void
}

/** Returns the job that deletes old check-ins every minute. */
export function checkInRetention(
  fleet: Pick<FleetUpkeep, 'retainCheckIns'>,
  { keepDays, onFailure, clock }: CheckInOptions,
): ScheduledJob {
  const round = async (ended: AbortSignal) => {
    const now = clock()
    const before = keepDays === 0 ? undefined : now - days(keepDays)
    for await (const _slice of fleet.retainCheckIns({ before, now })) if (ended.aborted) return
  }
  return new ScheduledJob(round, { every: EVERY, onFailure })
}

/** Returns the job that stores the health of recent releases every hour, for comparisons at the same age. */
export function healthSamples(
  fleet: Pick<FleetRecorder, 'sampleHealth'>,
  { onFailure, clock }: FleetJobOptions,
): ScheduledJob {
  return new ScheduledJob(() => fleet.sampleHealth(clock()), { every: SAMPLES_EVERY, onFailure })
}

/**
 * Returns the job that retires unverified profiles that no device or stored check-in uses. The result is
 * written with the telemetry, whose health reports a failure.
 */
export function reclaim(
  fleet: Pick<FleetUpkeep, 'retireProfiles'>,
  { keepDays, onFailure, clock }: CheckInOptions,
): ScheduledJob {
  // One day longer than check-ins are kept, because they are deleted a little later.
  const unusedDays = (keepDays === 0 ? FOREVER : keepDays) + 1
  const round = async () => {
    const today = dayOf(clock())
    await fleet.retireProfiles(today - unusedDays, today + 1)
  }
  return new ScheduledJob(round, { every: EVERY, onFailure })
}

/**
 * Returns the job that deletes devices not seen for a long time, every hour. While the clock is in doubt, it
 * deletes none.
 */
export function deviceRetention(
  fleet: Pick<FleetUpkeep, 'retainDevices' | 'newestSeenAtStart'>,
  { keepDays, keepSeenOnceDays, onFailure, onDeleted, clock }: DeviceRetentionOptions,
): ScheduledJob {
  const doubt = new ClockDoubt({ clock, newestSeen: fleet.newestSeenAtStart })
  const round = async (ended: AbortSignal) => {
    const now = clock()
    const isDoubtful = doubt.isDoubtful
    const limitOf = (kept: number) =>
      kept === 0 || isDoubtful ? Number.NEGATIVE_INFINITY : now - days(kept)
    const rule = { before: limitOf(keepDays), onceBefore: limitOf(keepSeenOnceDays) }
    let deleted = 0
    try {
      for await (const devices of fleet.retainDevices(rule)) {
        deleted += devices
        if (ended.aborted) return
      }
    } finally {
      if (deleted > 0) onDeleted(deleted)
    }
  }
  return new ScheduledJob(round, { every: DEVICES_EVERY, onFailure })
}

/** Milliseconds between checks of the revision of the catalog, which every request raises. */
const ERASE_EVERY = 250
/** Milliseconds after which a failed request is retried. */
const RETRY = 5_000

interface ErasuresOptions {
  /** The revision of the catalog. Called often, so it must be cheap. */
  readonly revision: () => number
  /** Called for every failed attempt. */
  readonly onFailure: (error: unknown) => void
}

/** Carries out requests to forget devices, from this process or another one. */
export class Erasures {
  readonly #fleet: Pick<FleetUpkeep, 'forget' | 'pendingErasures'>
  readonly #revision: () => number
  readonly #job: ScheduledJob
  #seen: number | undefined
  #running: Promise<void> = Promise.resolve()
  #stopped = false

  constructor(
    fleet: Pick<FleetUpkeep, 'forget' | 'pendingErasures'>,
    { revision, onFailure }: ErasuresOptions,
  ) {
    this.#fleet = fleet
    this.#revision = revision
    const timing = { every: ERASE_EVERY, retryAfter: RETRY, onFailure }
    this.#job = new ScheduledJob(() => this.#look(), timing)
  }

  /** Carries out pending requests, and from then on every request within a second. */
  start(): void {
    this.#job.start()
  }

  /** Stops after the requests in progress. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#job.stop()
    await this.#running.catch(() => {})
  }

  /** Carries out every committed request; runs do not overlap. Rejects on failure. */
  carryOut(): Promise<void> {
    const run = this.#running.catch(() => {}).then(() => this.#carryOut())
    this.#running = run
    return run
  }

  async #look(): Promise<void> {
    const revision = this.#revision()
    if (revision === this.#seen) return
    await this.carryOut()
    this.#seen = revision
  }

  async #carryOut(): Promise<void> {
    while (!this.#stopped) {
      const pending = await this.#fleet.pendingErasures()
      if (pending.length === 0) return
      // This removes the requests from the list.
      await this.#fleet.forget(pending)
    }
  }
}
