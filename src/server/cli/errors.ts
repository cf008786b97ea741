import { CommanderError } from 'commander'
import { z } from 'zod'
import { issueOf } from '../../shared/issue.ts'
import type { RefusalFacts } from '../../shared/refusal.ts'
import type { StorageErrorCode } from '../../shared/storage-problem.ts'
import { refusalSentence } from '../../shared/wording/refusal.ts'
import { storageProblemSentence } from '../../shared/wording/storage-problem.ts'
import { Refusal, Unavailable } from '../catalog/errors.ts'
import { StorageError } from '../storage/interface/storage-error.ts'
import { HINTS, text } from './strings/common.ts'

/** Wrong usage or wrong data. The message has the fix. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A correct command that could not be carried out. The message has the fix. */
export class Failure extends Error {
  override readonly name = 'Failure'
}

/** How a command that threw ends. */
export interface Ending {
  readonly exitCode: number
  /** One line for stderr; undefined without an error. */
  readonly line: string | undefined
}

const WRONG = 2
const FAILED = 1

/**
 * Converts what was thrown to a line and an exit code: 2 for wrong usage and wrong data, 1 for a
 * failure, 0 for help and version.
 */
export function endingOf(error: unknown): Ending {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return { exitCode: 0, line: undefined }
    return wrong(error.message.replace(/^error: /, ''))
  }
  if (error instanceof UsageError) return wrong(error.message)
  if (error instanceof Refusal) return wrong(withHint(error.facts))
  if (error instanceof z.ZodError) {
    const { path, reason } = issueOf(error, undefined)
    return wrong(`${path.join('.')}: ${reason}`)
  }
  if (error instanceof Unavailable) return unavailable(error)
  if (error instanceof StorageError) return failed(storageSentence(error))
  if (error instanceof Error && isExpected(error)) return failed(error.message)
  const what = error instanceof Error ? error.message : String(error)
  return failed(text.unexpected(what))
}

/** Returns whether the message of a failure explains it: ours, or one of the operating system. */
function isExpected(error: Error): boolean {
  return error instanceof Failure || 'syscall' in error
}

/** Problems that another data folder does not have. */
const OF_THE_FOLDER: ReadonlySet<StorageErrorCode> = new Set([
  'locked',
  'not_a_database',
  'foreign_database',
])

function unavailable({ cause }: Unavailable): Ending {
  if (cause instanceof StorageError) return failed(storageSentence(cause))
  return failed(text.databaseBusy)
}

function storageSentence({ problem }: StorageError): string {
  const sentence = storageProblemSentence(problem)
  const isElsewhere = problem.circumstance?.kind === 'backup' || !OF_THE_FOLDER.has(problem.code)
  return isElsewhere ? sentence : text.otherFolder(sentence)
}

function withHint(facts: RefusalFacts): string {
  const sentence = refusalSentence(facts)
  const hint = HINTS[facts.code]
  return hint === undefined ? sentence : text.withHint(sentence, hint)
}

function wrong(message: string): Ending {
  return { exitCode: WRONG, line: oneLine(message) }
}

function failed(message: string): Ending {
  return { exitCode: FAILED, line: oneLine(message) }
}

function oneLine(message: string): string {
  return text.error(message.trim().replace(/\s*\n\s*/g, ' '))
}
