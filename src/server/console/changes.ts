import type { ConsoleEvent } from '../../shared/console/overview.ts'

/** Milliseconds between two looks: at most four events a second. */
const INTERVAL = 250

type Change = ConsoleEvent['changed'][number]

/** Numbers that differ whenever the thing has changed. Asked often: they must cost nothing. */
export type Watched = Readonly<Record<Change, () => number>>

/**
 * Tells that something changed, at most four times a second, by looking at what is watched. All
 * who follow share one numbering. Nobody looks while nobody follows.
 */
export class Changes {
  readonly #watched: Watched
  readonly #followers = new Set<(event: ConsoleEvent) => void>()
  readonly #seen: Record<Change, number>
  #sequence = 0
  #timer: NodeJS.Timeout | undefined

  constructor(watched: Watched) {
    this.#watched = watched
    this.#seen = { catalog: watched.catalog(), fleet: watched.fleet() }
  }

  /**
   * The present number at once, then every change until `signal` is aborted. Whoever is slow gets
   * what came meanwhile as one event with the newest number.
   */
  async *follow(signal: AbortSignal | undefined): AsyncGenerator<ConsoleEvent, void> {
    this.#look()
    let waiting: ConsoleEvent | undefined = { sequence: this.#sequence, changed: [] }
    let wake = () => {}
    const listener = (event: ConsoleEvent) => {
      const changed = [...new Set([...(waiting?.changed ?? []), ...event.changed])]
      waiting = { sequence: event.sequence, changed }
      wake()
    }
    const onAbort = () => wake()
    this.#add(listener)
    signal?.addEventListener('abort', onAbort)
    try {
      while (signal?.aborted !== true) {
        const event: ConsoleEvent | undefined = waiting
        waiting = undefined
        if (event !== undefined) yield event
        else {
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
      }
    } finally {
      signal?.removeEventListener('abort', onAbort)
      this.#remove(listener)
    }
  }

  #add(listener: (event: ConsoleEvent) => void): void {
    this.#followers.add(listener)
    this.#timer ??= setInterval(() => this.#look(), INTERVAL).unref()
  }

  #remove(listener: (event: ConsoleEvent) => void): void {
    this.#followers.delete(listener)
    if (this.#followers.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #look(): void {
    const changed = (['catalog', 'fleet'] as const).filter((thing) => {
      const now = this.#watched[thing]()
      const differs = now !== this.#seen[thing]
      this.#seen[thing] = now
      return differs
    })
    if (changed.length === 0) return
    this.#sequence++
    for (const listener of this.#followers) listener({ sequence: this.#sequence, changed })
  }
}
