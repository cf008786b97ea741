import { TokenBuckets, verdictOf } from '../../runtime/limits/token-buckets.ts'

export interface AttemptLimit {
  readonly name: string
  /** Attempts. */
  readonly capacity: number
  /** Milliseconds in which that many are allowed again. */
  readonly period: number
}

export interface Counted {
  readonly limit: AttemptLimit
  /** Of any length. */
  readonly key: string
}

/** Counts attempts. Rejects if the storage does not answer: then nobody can try. */
export interface AttemptStore {
  /** Counts an attempt against each or none. Resolves to 0 if it was counted, else to the seconds until there is another. */
  take(counted: readonly Counted[]): Promise<number>
  /** Counts an attempt no longer, against each. */
  giveBack(counted: readonly Counted[]): Promise<void>
}

/** Maximum number of keys of each limit that are kept. */
const MAX_KEYS = 20_000

/** Returns the attempts that one process has seen. `clock`: monotonic, in milliseconds. */
export function attemptsInMemory({
  clock,
}: {
  readonly clock?: (() => number) | undefined
} = {}): AttemptStore {
  const byLimit = new Map<string, TokenBuckets>()
  function bucketsOf({ name, capacity, period }: AttemptLimit): TokenBuckets {
    const known = byLimit.get(name)
    if (known !== undefined) return known
    const buckets = new TokenBuckets({
      capacity,
      period,
      maxKeys: MAX_KEYS,
      ...(clock && { clock }),
    })
    byLimit.set(name, buckets)
    return buckets
  }
  async function giveBack(counted: readonly Counted[]): Promise<void> {
    for (const { limit, key } of counted) bucketsOf(limit).giveBack(key)
  }
  return {
    async take(counted) {
      for (const [index, { limit, key }] of counted.entries()) {
        const verdict = bucketsOf(limit).take(key)
        if (verdict.allowed) continue
        await giveBack(counted.slice(0, index))
        return verdict.retrySeconds
      }
      return 0
    },
    giveBack,
  }
}

/** Returns the seconds after which a bucket that is full in `missing` milliseconds allows another attempt. */
export function retrySecondsOf({ capacity, period }: AttemptLimit, missing: number): number {
  return Math.max(1, verdictOf(false, missing, period, period / capacity).retrySeconds)
}
