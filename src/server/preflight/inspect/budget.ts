import type { InspectLimits, Note } from './facts.ts'

type Cause = DistributiveOmit<Note, 'part'>
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

/** A part of a file could not be read, and why. */
export class Unread extends Error {
  override readonly name = 'Unread'
  readonly why: Cause

  constructor(why: Cause) {
    super(why.code)
    this.why = why
  }
}

/** What contradicts its format, or ends too early. */
export function damaged(): Unread {
  return new Unread({ code: 'damaged' })
}

/** Parses what the file has. Whatever the parsers of others throw is by what they read. */
export function orDamaged<T>(parse: () => T): T {
  try {
    return parse()
  } catch {
    throw damaged()
  }
}

/** What there is no reader for. */
export function notRead(format: string): Unread {
  return new Unread({ code: 'not_read', format })
}

/** The file itself failed to be read, by no fault of what is in it. */
export class ReadFailure extends Error {
  override readonly name = 'ReadFailure'
}

type Spent = 'bytes' | 'decompressed' | 'entries'

/** What is left of the limits of one inspection. */
export class Budget {
  readonly limits: InspectLimits
  /** Whether the file can be read in full. */
  readonly isNear: boolean
  readonly #left: Record<Spent, number>
  readonly #deadline: number
  #open = new Set<() => void>()

  constructor(limits: InspectLimits, isNear = false) {
    this.limits = limits
    this.isNear = isNear
    const { bytes, decompressed, entries } = limits
    this.#left = { bytes, decompressed, entries }
    this.#deadline = performance.now() + limits.milliseconds
  }

  /** Counts what is about to be used. Throws `Unread` if that is more than is left, or time is over. */
  spend(limit: Spent, amount: number): void {
    if (performance.now() > this.#deadline) {
      throw new Unread({ code: 'over_limit', limit: 'milliseconds' })
    }
    if (amount > this.#left[limit]) throw new Unread({ code: 'over_limit', limit })
    this.#left[limit] -= amount
  }

  /** Keeps in mind what is open, and returns what closes it. */
  opened(close: () => void): () => void {
    const open = this.#open
    const closing = () => {
      if (open.delete(closing)) close()
    }
    open.add(closing)
    return closing
  }

  /** Does something, and then closes what that has left open. */
  async closing<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#open
    const own = new Set<() => void>()
    this.#open = own
    try {
      return await work()
    } finally {
      for (const close of own) close()
      this.#open = before
    }
  }
}
