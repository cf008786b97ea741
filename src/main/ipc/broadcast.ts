import { pull } from '../../shared/console/bridge/pull.ts'

/** Passes values on to all listeners and followers. A follower gets every value, however slow it is. */
export class Broadcast<Value> {
  readonly #listeners = new Set<(value: Value) => void>()
  readonly #keepsLast: boolean
  /** The value that no listener has received yet: at most one. */
  #unheard: Value[] = []

  /** `keepsLast`: the last value sent without a listener is delivered to the first listener. */
  constructor({ keepsLast = false } = {}) {
    this.#keepsLast = keepsLast
  }

  /** Passes a value to everyone who listens now. */
  send(value: Value): void {
    if (this.#keepsLast && this.#listeners.size === 0) this.#unheard = [value]
    for (const listener of [...this.#listeners]) listener(value)
  }

  /** Keeps a value for the listener that comes next: those of a page that has closed can still be there. */
  keep(value: Value): void {
    this.#unheard = [value]
  }

  /** Calls the listener for every value until the returned function is called. */
  listen(listener: (value: Value) => void): () => void {
    this.#listeners.add(listener)
    for (const value of this.#unheard.splice(0)) listener(value)
    return () => this.#listeners.delete(listener)
  }

  /** Yields every value from now on until `signal` is aborted; before them what `present` returns. */
  follow(signal: AbortSignal | undefined, present?: () => Value): AsyncGenerator<Value, void> {
    let waiting: Value[] = []
    const listen = (wake: () => void) => {
      if (present !== undefined) waiting.push(present())
      return this.listen((value) => {
        waiting.push(value)
        wake()
      })
    }
    const take = () => {
      const values = waiting
      waiting = []
      return values
    }
    return pull(signal, listen, take)
  }
}
