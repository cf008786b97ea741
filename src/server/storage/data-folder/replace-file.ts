import { renameSync } from 'node:fs'

/** How often Windows is asked again, and after how many milliseconds each time: for a second in all. */
const TRIES = 20
const PAUSE = 50
const HELD: readonly string[] = ['EPERM', 'EBUSY', 'EACCES']

/**
 * Renames a file, in place of another one. Windows refuses that while another program, such as a virus scanner, has one of
 * both open, so it is tried again there. Throws the error of the file system.
 */
export function replaceFile(
  from: string,
  to: string,
  { platform = process.platform, rename = renameSync as (from: string, to: string) => void } = {},
): void {
  for (let left = TRIES; ; left -= 1) {
    try {
      rename(from, to)
      return
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      if (platform !== 'win32' || !HELD.includes(code) || left === 0) throw error
      // The callers are not asynchronous: nothing may come between the steps of an exchange.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE)
    }
  }
}
