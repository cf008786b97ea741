import { type Logger, pino } from 'pino'
import { LogDescriptor, LogFile } from './log-file.ts'
import { type LogHealth, LogWriter } from './log-writer.ts'

const STDERR = 2
/** Size of a log file, and how many are kept: 25 MiB in total. */
const MAX_BYTES = 5 * 1_024 * 1_024
const KEEP = 5

/** The log of this process. */
export interface ProcessLog {
  readonly log: Logger
  readonly health: () => LogHealth
}

/**
 * Opens the log of this process, in JSON lines from `level` on: in a file that is rotated at 5 MiB,
 * with 5 files kept, or on stderr. A log that cannot be written never throws and ends no process.
 */
export function openLog(level: string, file: string | undefined): ProcessLog {
  const target =
    file === undefined
      ? new LogDescriptor(STDERR)
      : new LogFile(file, { maxBytes: MAX_BYTES, keep: KEEP })
  const writer = new LogWriter(target)
  process.once('exit', () => writer.flushSync())
  return { log: pino({ level }, writer), health: () => writer.health }
}

/** Throws the error of the operating system when the file cannot be opened for writing. */
export function tryLogFile(file: string): void {
  const target = new LogFile(file, { maxBytes: MAX_BYTES, keep: KEEP })
  target.prepare(0)
  target.close()
}

/** Keeps a process running when nobody reads its output, or the disk of its output is full. */
export function surviveBrokenOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.removeAllListeners('error')
    stream.on('error', () => {})
  }
}
