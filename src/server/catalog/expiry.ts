import type { Job } from '../cluster/leadership.ts'

/** Milliseconds between two looks at the clock. */
const LOOK = 60_000

/** Looks at the clock, every minute by default, and lets expire what is due. */
export class Expiry implements Job {
  readonly #expire: () => Promise<unknown>
  readonly #onFailure: (error: unknown) => void
  readonly #every: number
  #timer: NodeJS.Timeout | undefined
  #running: Promise<unknown> = Promise.resolve()

  /** `onFailure` hears of every look that failed. `every`: milliseconds between two looks. */
  constructor(expire: () => Promise<unknown>, onFailure: (error: unknown) => void, every = LOOK) {
    this.#expire = expire
    this.#onFailure = onFailure
    this.#every = every
  }

  start(): void {
    const look = () => {
      this.#running = this.#expire()
        .catch(this.#onFailure)
        .finally(() => {
          if (this.#timer !== undefined) this.#timer = setTimeout(look, this.#every).unref()
        })
    }
    this.#timer = setTimeout(look, this.#every).unref()
  }

  /** Waits for a look that is under way. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#running
  }
}
