import { CheckError } from './check-error.ts'

/** A request that gives up when nothing arrives for a while. */
export class Patience {
  readonly #late = new AbortController()
  readonly #timer: NodeJS.Timeout
  readonly #signal: AbortSignal | undefined
  /** Bytes that have arrived. */
  received = 0
  /** What the network said of a connection that was lost. */
  #lost: unknown

  constructor(timeout: number, signal: AbortSignal | undefined) {
    this.#signal = signal
    this.#timer = setTimeout(() => this.#late.abort(), timeout)
  }

  async fetch(url: string, headers: Record<string, string>): Promise<Response> {
    const { signal: late } = this.#late
    const signal = this.#signal === undefined ? late : AbortSignal.any([this.#signal, late])
    try {
      return await fetch(url, { headers, signal })
    } catch (error) {
      this.#lost = error
      throw error
    }
  }

  async *read(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    const pieces = body[Symbol.asyncIterator]()
    try {
      for (;;) {
        const { done, value } = await pieces.next().catch((error: unknown) => {
          this.#lost = error
          throw error
        })
        if (done === true) return
        this.#timer.refresh()
        this.received += value.length
        yield value
      }
    } finally {
      await pieces.return?.()
    }
  }

  /** Returns what an error means: the reason of the signal, `CheckError` for the network, and itself for every other. */
  explain(error: unknown): unknown {
    if (this.#signal?.aborted === true) return this.#signal.reason
    if (error instanceof CheckError) return error
    if (this.#late.signal.aborted) return new CheckError('timeout', 'The file does not arrive.')
    if (this.#lost === undefined) return error
    return new CheckError('unreachable', 'The file cannot be downloaded.', { cause: this.#lost })
  }

  /** Ends the request, also one of which something is still to come. */
  end(): void {
    clearTimeout(this.#timer)
    this.#late.abort()
  }
}
