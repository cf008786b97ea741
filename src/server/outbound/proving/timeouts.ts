import { z } from 'zod'
import type { TimedOutPhase } from '../../../shared/files/proof.ts'

/** Milliseconds that each part of a download may take. */
export const ProvingTimeouts = z.strictObject({
  /** To look up the host and to connect, for each address. */
  connect: z.int().min(1).default(15_000),
  /** From then on to the head of the response. */
  firstByte: z.int().min(1).default(30_000),
  /** In which at least `STALLED_BYTES` must arrive, unless the file ends. */
  stalled: z.int().min(1).default(30_000),
  /** For everything, redirects included. */
  total: z.int().min(1).default(3_600_000),
})
export type ProvingTimeouts = z.infer<typeof ProvingTimeouts>

/** Bytes below which a connection counts as stalled. */
const STALLED_BYTES = 1_024 ** 2

/** A download took too long. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut'
  readonly phase: TimedOutPhase
  readonly seconds: number

  constructor(phase: TimedOutPhase, milliseconds: number) {
    super(`timed out: ${phase}`)
    this.phase = phase
    this.seconds = milliseconds / 1_000
  }
}

/** Watches the parts of one download, one after the other. Aborts `signal` with `TimedOut` when one takes too long. */
export class Watch {
  readonly #timeouts: ProvingTimeouts
  readonly #controller = new AbortController()
  readonly #total: NodeJS.Timeout
  #part: NodeJS.Timeout | undefined
  #bytes = 0

  constructor(timeouts: ProvingTimeouts) {
    this.#timeouts = timeouts
    this.#total = this.#after('total', timeouts.total)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  connecting(): void {
    this.#begin('connect', this.#timeouts.connect)
  }

  waiting(): void {
    this.#begin('first_byte', this.#timeouts.firstByte)
  }

  /** The body begins. */
  reading(): void {
    this.#bytes = 0
    this.#begin('stalled', this.#timeouts.stalled)
  }

  /** So many bytes of the body have arrived. Slow ones do not add up to a fast connection: each wait begins at 0. */
  arrived(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes >= STALLED_BYTES) this.reading()
  }

  stop(): void {
    clearTimeout(this.#part)
    clearTimeout(this.#total)
  }

  #begin(phase: TimedOutPhase, milliseconds: number): void {
    clearTimeout(this.#part)
    this.#part = this.#after(phase, milliseconds)
  }

  #after(phase: TimedOutPhase, milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.#controller.abort(new TimedOut(phase, milliseconds)), milliseconds)
  }
}
