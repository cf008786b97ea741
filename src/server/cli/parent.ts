/** Milliseconds between checks of the parent process. */
const LOOK = 250

// Read as early as possible: if the parent exits before this, it goes unnoticed.
const PARENT = process.ppid

/**
 * Calls `listener` once, within 250 ms after the parent process has exited. Does not keep this
 * process running. Returns a function that stops watching.
 */
export function whenParentEnds(listener: () => void): () => void {
  const timer = setInterval(() => {
    if (process.ppid === PARENT && isRunning(PARENT)) return
    clearInterval(timer)
    listener()
  }, LOOK)
  timer.unref()
  return () => clearInterval(timer)
}

/** On Windows, the parent's process id stays the same after the parent exits. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
