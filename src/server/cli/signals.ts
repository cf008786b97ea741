import { closeSync, openSync } from 'node:fs'
import { whenParentEnds } from './parent.ts'

/** Milliseconds in which a signal is the same one again: npm passes on what a terminal sends to both. */
const ECHO_TIME = 1_000

export interface StopOptions {
  /** Also stops once the process that started this one has ended. */
  readonly withParent?: boolean | undefined
  /**
   * Hears of SIGHUP, which otherwise ends the process. Where the terminal was closed, or on Windows,
   * SIGHUP is a request to stop all the same.
   */
  readonly onHangup?: (() => void) | undefined
}

/**
 * Resolves at the first SIGINT or SIGTERM, or when the parent ends. A signal that follows the first
 * one later ends the process at once, with exit code 1.
 */
export function stopSignal({ withParent, onHangup }: StopOptions = {}): Promise<void> {
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
    // Not a signal: a parent that ends while a stop is in progress must not cut it short.
    if (withParent) whenParentEnds(resolve)
    if (onHangup) process.on('SIGHUP', () => (isTerminalGone() ? resolve() : onHangup()))
  })
}

/** The process of a terminal that is closed would stay behind, where nobody sees it. */
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
