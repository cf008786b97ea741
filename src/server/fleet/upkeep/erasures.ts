import type { FleetUpkeep } from '../store.ts'
import { ScheduledJob } from './scheduled-job.ts'

/** Milliseconds between checks of the revision of the catalog, which every request raises. */
const EVERY = 250
/** Milliseconds after which a failed request is retried. */
const RETRY = 5_000

export interface ErasuresOptions {
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
    const timing = { every: EVERY, retryAfter: RETRY, onFailure }
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
