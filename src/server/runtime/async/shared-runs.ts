/** Returns a function that runs `work`, one run at a time. Those who call it during a run share the next one: the run may have read already. */
export function sharedRuns<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  /** The run that starts when that has ended. */
  let next: Promise<T> | undefined
  const start = () => {
    next = undefined
    const run = work().finally(() => {
      // Until the next one starts, callers still share it.
      if (next === undefined) running = undefined
    })
    running = run
    return run
  }
  return () => {
    if (running === undefined) return start()
    next ??= running.then(start, start)
    return next
  }
}
