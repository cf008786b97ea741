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

  /** Calls the listener for every value until the returned function is called. */
  listen(listener: (value: Value) => void): () => void {
    this.#listeners.add(listener)
    for (const value of this.#unheard.splice(0)) listener(value)
    return () => this.#listeners.delete(listener)
  }

  /** The values from now on, until `signal` aborts; ahead of them what `present` returns. */
  async *follow(signal: AbortSignal | undefined, present?: () => Value): AsyncGenerator<Value> {
    const waiting = present === undefined ? [] : [present()]
    const ended = () => signal?.aborted === true
    let wake = Promise.withResolvers<void>()
    const wakeUp = () => wake.resolve()
    const stop = this.listen((value) => {
      waiting.push(value)
      wakeUp()
    })
    signal?.addEventListener('abort', wakeUp)
    try {
      while (!ended()) {
        for (const value of waiting.splice(0)) yield value
        if (waiting.length === 0 && !ended()) await wake.promise
        wake = Promise.withResolvers()
      }
    } finally {
      stop()
      signal?.removeEventListener('abort', wakeUp)
    }
  }
}
