import { mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { destination, type Logger, pino } from 'pino'

/** Bytes from which on the next start begins another file. */
const LARGE = 5 * 1_024 * 1_024

/**
 * The log of the server process: in the file that `TIDEGATE_LOG_FILE` names, with the one before
 * kept as `<file>.1`, or on stderr; from `TIDEGATE_LOG_LEVEL` on.
 */
export function openLog(): Logger {
  const { TIDEGATE_LOG_LEVEL: level = 'info', TIDEGATE_LOG_FILE: file } = process.env
  const to = file !== undefined && prepare(file) ? { dest: file } : { fd: 2 }
  return pino({ level }, destination({ ...to, sync: true }))
}

/** A log that cannot be written must not keep the server from running. */
function prepare(file: string): boolean {
  try {
    mkdirSync(dirname(file), { recursive: true })
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
    if (size > LARGE) renameSync(file, `${file}.1`)
    return true
  } catch {
    return false
  }
}
