import { setTimeout as delay } from 'node:timers/promises'

export interface PacedTime {
  /** Monotonic clock, in milliseconds. */
  readonly clock: () => number
  readonly wait: (milliseconds: number) => Promise<unknown>
}

const REAL: PacedTime = {
  clock: () => performance.now(),
  wait: (milliseconds) => delay(milliseconds),
}

/**
 * Returns a function that runs `work` for its callers: once for all who have called since it last began, and at most once in
 * `every` milliseconds, so that many callers cost no more than one. It rejects as `work` does.
 */
export function paced(
  work: () => Promise<void>,
  every: number,
  { clock, wait }: PacedTime = REAL,
): () => Promise<void> {
  let begunAt = Number.NEGATIVE_INFINITY
  let next: Promise<void> | undefined
  const run = async () => {
    await wait(Math.max(0, begunAt + every - clock()))
    next = undefined
    begunAt = clock()
    await work()
  }
  return () => {
    next ??= run()
    return next
  }
}
