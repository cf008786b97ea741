/** Milliseconds between checks of the parent process. */
const LOOK = 250

// Read as early as possible: a parent that ends before this cannot be noticed.
const PARENT = process.ppid

/**
 * Calls `listener` once, within 250 ms after the process that started this one has ended. Keeps
 * the process running no longer than it would otherwise. Returns what ends the watch.
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

/** Windows does not tell a process that its parent has ended: it keeps the old number. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
