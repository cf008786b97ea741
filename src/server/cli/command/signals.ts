import { closeSync, openSync } from 'node:fs'

/** Milliseconds in which a signal is the same one again: npm passes on what a terminal sends to both. */
const ECHO_TIME = 1_000

export interface StopOptions {
  /** Also stops when the parent process exits. */
  readonly withParent?: boolean | undefined
  /** Called on SIGHUP, which otherwise ends the process, and still does on Windows and after the terminal was closed. */
  readonly onHangup?: (() => void) | undefined
}

/** Resolves at the first SIGINT or SIGTERM, or when the parent exits. A later second signal exits at once with code 1. */
export function stopSignal({ withParent, onHangup }: StopOptions = {}): Promise<void> {
  return new Promise((resolve) => {
    let first: number | undefined
    const onSignal = () => {
      const now = performance.now()
      first ??= now
      if (now - first > ECHO_TIME) process.exit(1)
      resolve()
    }
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
    // Not a signal: a parent that exits during a stop must not cut it short.
    if (withParent) whenParentEnds(resolve)
    if (onHangup) process.on('SIGHUP', () => (isTerminalGone() ? resolve() : onHangup()))
  })
}

/** Otherwise the process would keep running unseen after its terminal was closed. */
function isTerminalGone(): boolean {
  if (process.platform === 'win32') return true
  if (!process.stdin.isTTY) return false
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return false
  } catch {
    return true
  }
}

/** Runs `work` with a signal that the first SIGINT or SIGTERM aborts, instead of ending the process. */
export async function interruptible<T>(
  reason: () => Error,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const abort = () => controller.abort(reason())
  process.once('SIGINT', abort)
  process.once('SIGTERM', abort)
  try {
    return await work(controller.signal)
  } finally {
    process.off('SIGINT', abort)
    process.off('SIGTERM', abort)
  }
}

/** Milliseconds between checks of the parent process. */
const LOOK = 250

// Read as early as possible: if the parent exits before this, it goes unnoticed.
const PARENT = process.ppid

/** Calls `listener` once, within 250 ms after the parent process has exited. Returns a function that stops watching. */
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
