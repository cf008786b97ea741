import { type Logger, pino } from 'pino'
import { RefusalFacts } from '../../../shared/refusal.ts'
import { storageProblemSentence } from '../../../shared/wording/operation/storage-problem.ts'
import { refusalSentence } from '../../../shared/wording/refusals/refusal.ts'
import { StorageError } from '../../storage/interface/storage-error.ts'
import { LogDescriptor, LogFile } from './log-file.ts'
import { type LogHealth, LogWriter } from './log-writer.ts'

const STDERR = 2
/** Size of a log file, and how many are kept: 25 MiB in total. */
const SIZE = { maxBytes: 5 * 1_024 * 1_024, keep: 5 }

export interface ProcessLog {
  readonly log: Logger
  readonly health: () => LogHealth
  /** Opens the file again, for a program that has moved it. */
  readonly reopen: () => void
}

/** Opens the log, in JSON lines from `level` on: a file rotated at 5 MiB, 5 kept, or stderr. Never throws when it cannot be written. */
export function openLog(level: string, file: string | undefined): ProcessLog {
  const logFile = file === undefined ? undefined : new LogFile(file, SIZE)
  const writer = new LogWriter(logFile ?? new LogDescriptor(STDERR))
  process.once('exit', () => writer.flushSync())
  return {
    log: pino({ level, serializers: { err: serializeError } }, writer),
    health: () => writer.health,
    reopen: () => logFile?.reopen(),
  }
}

/** Records an error as pino does, and a known one in the words for the person who reads the log. */
function serializeError(error: Error): object {
  const record = pino.stdSerializers.err(error)
  const refused = RefusalFacts.safeParse(Reflect.get(error, 'facts'))
  if (refused.success) return { ...record, message: refusalSentence(refused.data) }
  if (!(error instanceof StorageError)) return record
  return { ...record, message: storageProblemSentence(error.problem) }
}

/** Throws the error of the operating system when the file cannot be opened for writing. */
export function tryLogFile(file: string): void {
  const target = new LogFile(file, SIZE)
  target.prepare(0)
  target.close()
}

/** Keeps a process running when its output is not read, or the disk of its output is full. */
export function surviveBrokenOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.removeAllListeners('error')
    stream.on('error', () => {})
  }
}
