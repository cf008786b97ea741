/** A call as its caller names it, so that it can be repeated after its answer was lost. */
export interface RepeatableCall {
  /** Who calls; a name counts among the calls of one caller. */
  readonly who: string
  readonly key: string
  /** What is called with what, in any form: the same for every attempt. */
  readonly content: string
  /** Milliseconds since the first attempt; undefined for that, and for callers that do not say it. */
  readonly age?: number | undefined
}

/** What a caller sends of that: the name, and what an attempt is. */
export type CallRepeat = Pick<RepeatableCall, 'key' | 'age'>

interface Entry {
  readonly who: string
  readonly content: string
  readonly startedAt: number
  readonly outcome: Promise<unknown>
  isSettled: boolean
  /** Characters of the outcome as JSON; 0 while it is under way. */
  size: number
}

export interface RepeatedCallsParts {
  /** Milliseconds; the computer's clock by default. */
  readonly clock?: () => number
  /** Whether another process may have carried out the first attempt. */
  readonly hasOthers?: () => boolean
}

/** Milliseconds for which what became of a call is known. */
const KEPT = 10 * 60_000
/** Most calls that are kept, of all callers and of one, and most characters of their outcomes as JSON. */
const [MOST, MOST_OF_ONE, MOST_CHARACTERS] = [500, 50, 16 * 1_024 * 1_024]

/** Returns the characters of a value as JSON; 0 for what JSON does not have. */
export function sizeAsJson(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0
}

/**
 * Runs a call once, however often it is repeated: a repeat gets the outcome of the first attempt, also one that still runs.
 * It is kept in the memory of this process for 10 minutes. A repeat whose first attempt this process cannot know of is not
 * run.
 */
export class RepeatedCalls {
  readonly #entries = new Map<string, Entry>()
  readonly #clock: () => number
  readonly #hasOthers: () => boolean
  /** Every call that came later is known. */
  #knownSince: number

  constructor({ clock = Date.now, hasOthers = () => false }: RepeatedCallsParts = {}) {
    this.#clock = clock
    this.#hasOthers = hasOthers
    this.#knownSince = clock()
  }

  /**
   * Returns the outcome of the call: `run`'s, or that of the first attempt. `other_call`: the key names a call of another
   * content. `unknown`: the first attempt may have been carried out where this process has not seen it. `sizeOf`: characters of
   * an outcome as JSON. One for which it is null is not kept, nor is a rejection: the next attempt runs again.
   */
  async run<Outcome>(
    { who, key, content, age }: RepeatableCall,
    run: () => Promise<Outcome>,
    sizeOf: (outcome: Outcome) => number | null,
  ): Promise<{ readonly outcome: Outcome } | 'other_call' | 'unknown'> {
    const now = this.#clock()
    this.#forget((entry) => entry.isSettled && now - entry.startedAt > KEPT)
    const name = JSON.stringify([who, key])
    const known = this.#entries.get(name)
    if (known !== undefined) {
      if (known.content !== content) return 'other_call'
      // The same content has the same kind of outcome.
      return { outcome: (await known.outcome) as Outcome }
    }
    if (age !== undefined && (this.#hasOthers() || now - age <= this.#knownSince)) return 'unknown'
    this.#makeRoom(who)
    const outcome = run()
    const entry: Entry = { who, content, startedAt: now, outcome, isSettled: false, size: 0 }
    this.#entries.set(name, entry)
    const settle = (isKept: boolean) => {
      entry.isSettled = true
      if (!isKept) this.#entries.delete(name)
    }
    outcome.then(
      (value) => {
        const size = sizeOf(value)
        entry.size = size ?? 0
        settle(size !== null)
        this.#shrink()
      },
      () => settle(false),
    )
    return { outcome: await outcome }
  }

  /** Forgets the oldest outcomes until the rest is no larger than it may be. */
  #shrink(): void {
    let size = 0
    for (const entry of this.#entries.values()) size += entry.size
    this.#forget((entry) => {
      const isLeaving = entry.isSettled && size > MOST_CHARACTERS
      if (isLeaving) size -= entry.size
      return isLeaving
    })
  }

  #makeRoom(who: string): void {
    const own = [...this.#entries.values()].filter((entry) => entry.who === who)
    const oldest = (of: readonly Entry[]) => of.find(({ isSettled }) => isSettled)
    const leaving = [
      own.length >= MOST_OF_ONE ? oldest(own) : undefined,
      this.#entries.size >= MOST ? oldest([...this.#entries.values()]) : undefined,
    ]
    this.#forget((entry) => leaving.includes(entry))
  }

  #forget(isForgotten: (entry: Entry) => boolean): void {
    for (const [name, entry] of this.#entries) {
      if (!isForgotten(entry)) continue
      this.#entries.delete(name)
      this.#knownSince = Math.max(this.#knownSince, entry.startedAt)
    }
  }
}
