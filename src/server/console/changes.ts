import type { ConsoleEvent } from '../../shared/console/overview.ts'
import { pull } from '../../shared/console/pull.ts'

/** Milliseconds between polls: at most four events a second. */
const INTERVAL = 250

type Change = ConsoleEvent['changed'][number]

/** Numbers that differ whenever the thing has changed. Read at every poll, so they must be cheap. */
export type Watched = Readonly<Record<Change, () => number>>

/**
 * Reports that something changed, at most four times a second, by polling what is watched. All
 * followers share one numbering. Nothing is polled without followers.
 */
export class Changes {
  readonly #watched: Watched
  readonly #followers = new Set<(event: ConsoleEvent) => void>()
  readonly #seen: Record<Change, number>
  #sequence = 0
  #timer: NodeJS.Timeout | undefined

  constructor(watched: Watched) {
    this.#watched = watched
    this.#seen = { catalog: watched.catalog(), fleet: watched.fleet(), people: watched.people() }
  }

  /**
   * Yields the present number at once, then every change until `signal` is aborted. A slow reader gets
   * what happened in the meantime as one event with the latest number.
   */
  follow(signal: AbortSignal | undefined): AsyncGenerator<ConsoleEvent, void> {
    let waiting: ConsoleEvent | undefined
    const listen = (wake: () => void) => {
      this.#look()
      waiting = { sequence: this.#sequence, changed: [] }
      const listener = ({ sequence, changed }: ConsoleEvent) => {
        waiting = { sequence, changed: [...new Set([...(waiting?.changed ?? []), ...changed])] }
        wake()
      }
      this.#add(listener)
      return () => this.#remove(listener)
    }
    const take = () => {
      const events = waiting === undefined ? [] : [waiting]
      waiting = undefined
      return events
    }
    return pull(signal, listen, take)
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
    const changed = (['catalog', 'fleet', 'people'] as const).filter((thing) => {
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
