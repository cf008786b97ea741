import { Slots } from '../limits/slots.ts'
import { type Principal, whoIs } from '../use-cases/principal.ts'

const NEVER = new AbortController().signal

/**
 * What every caller may ask for, and what keeps a server busy for a while. Each person has one at a time, and the turns go
 * around among those who ask: so that nobody waits for what somebody else has asked for without end.
 */
export class SharedWork {
  readonly #slots: Slots<string>

  /** `total`: most that are done at the same time, of all. */
  constructor({ total }: { readonly total: number }) {
    this.#slots = new Slots({ total, each: 1 })
  }

  /** Does it in the caller's turn. Throws what `work` throws. */
  run<T>(principal: Principal, work: () => Promise<T>): Promise<T> {
    return this.#slots.run(whoIs(principal), NEVER, work)
  }

  /** Yields what `work` yields, in the caller's turn. Ends when `signal` is aborted, which it may be while it waits. */
  async *follow<T>(
    principal: Principal,
    signal: AbortSignal | undefined,
    work: () => AsyncGenerator<T, void>,
  ): AsyncGenerator<T, void> {
    const end = await this.#slots.take(whoIs(principal), signal ?? NEVER).catch((error) => {
      if (signal?.aborted !== true) throw error
    })
    if (end === undefined) return
    try {
      yield* work()
    } finally {
      end()
    }
  }
}
