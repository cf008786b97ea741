/** Milliseconds in which a signal is the same one again: npm passes on what a terminal sends to both. */
const ECHO_TIME = 1_000

/**
 * Resolves at the first SIGINT or SIGTERM. One that follows it ends the process at once, with
 * exit code 1.
 */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let first: number | undefined
    const heard = () => {
      const now = performance.now()
      first ??= now
      if (now - first > ECHO_TIME) process.exit(1)
      resolve()
    }
    process.on('SIGINT', heard)
    process.on('SIGTERM', heard)
  })
}
