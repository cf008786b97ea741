interface JobOptions {
  /** Milliseconds before the first round; 0 by default. */
  readonly first?: number
  /** Milliseconds from the end of one round to the start of the next; a function is asked then. */
  readonly every: number | (() => number)
  /** Milliseconds after a round that failed; `every` by default. */
  readonly retryAfter?: number
  /** Called when a round fails. The job continues. */
  readonly onFailure: (error: unknown) => void
}

/** Runs work repeatedly, one round at a time. */
export class ScheduledJob {
  readonly #round: (ended: AbortSignal) => Promise<unknown>
  readonly #options: JobOptions
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #ended = new AbortController()

  /** `round` ends soon after `ended` aborts. */
  constructor(round: (ended: AbortSignal) => Promise<unknown>, options: JobOptions) {
    this.#round = round
    this.#options = options
  }

  /** Starts the first round, and repeats it until `stop`. Can be called again after that. */
  start(): void {
    this.#ended = new AbortController()
    this.#next(this.#options.first ?? 0, this.#ended.signal)
  }

  /** Resolves when the round in progress has ended. */
  async stop(): Promise<void> {
    this.#ended.abort()
    clearTimeout(this.#timer)
    await this.#running
  }

  #next(delay: number, ended: AbortSignal): void {
    if (ended.aborted) return
    this.#timer = setTimeout(() => {
      this.#running = this.#run(ended).then((pause) => this.#next(pause, ended))
    }, delay).unref()
  }

  async #run(ended: AbortSignal): Promise<number> {
    const { every, retryAfter = every, onFailure } = this.#options
    try {
      await this.#round(ended)
      return typeof every === 'number' ? every : every()
    } catch (error) {
      onFailure(error)
      return typeof retryAfter === 'number' ? retryAfter : retryAfter()
    }
  }
}
