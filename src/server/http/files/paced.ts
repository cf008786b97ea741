import { setTimeout as delay } from 'node:timers/promises'

/**
 * Returns a function that runs `work` for its callers: once for all who have called since it last began, and at most once in
 * `every` milliseconds, so that many callers cost no more than one. It rejects as `work` does.
 */
export function paced(work: () => Promise<void>, every: number): () => Promise<void> {
  let begunAt = Number.NEGATIVE_INFINITY
  let next: Promise<void> | undefined
  const run = async () => {
    await delay(Math.max(0, begunAt + every - performance.now()))
    next = undefined
    begunAt = performance.now()
    await work()
  }
  return () => {
    next ??= run()
    return next
  }
}
