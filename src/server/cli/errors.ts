import { CommanderError } from 'commander'
import { z } from 'zod'
import { issueOf } from '../../shared/issue.ts'
import type { RefusalCode, RefusalFacts } from '../../shared/refusal.ts'
import type { StorageErrorCode } from '../../shared/storage-problem.ts'
import { refusalSentence } from '../../shared/wording/refusal.ts'
import { storageProblemSentence } from '../../shared/wording/storage-problem.ts'
import { Refusal, Unavailable } from '../catalog/errors.ts'
import { StorageError } from '../storage/interface/storage-error.ts'

/** What was asked for is wrong; the message says how to ask for it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** What was asked for is right and could not be done; the message says how to fix it. */
export class Failure extends Error {
  override readonly name = 'Failure'
}

/** How a command that threw ends. */
export interface Ending {
  readonly exitCode: number
  /** For stderr, one line; undefined where nothing went wrong. */
  readonly line: string | undefined
}

const WRONG = 2
const FAILED = 1

const OFFERED = 'to take the release back, use --status rolled_back'

/** Where to look for what is unknown, and what to do about what already exists. */
const HINTS: { readonly [Code in RefusalCode]?: string } = {
  unknown_app: '"app list" shows those that exist, "app create" makes one',
  unknown_channel: '"channel list" shows those that exist, "channel create" makes one',
  unknown_release: '"release list" shows those that exist',
  unknown_device: 'a device is known from its first check-in or report on',
  unknown_key: '"key list" shows the prefixes of those that exist',
  app_exists: 'choose another name',
  channel_exists: 'choose another name',
  release_exists: 'releases never change, so publish another version',
  release_rolled_back: 'publish a new version',
  rollout_lowered: OFFERED,
  target_label_added: OFFERED,
  target_value_removed: OFFERED,
  target_expressions_changed: OFFERED,
}

/**
 * The one place where what was thrown becomes a line and an exit code: 2 for wrong usage and wrong
 * data, 1 for a failure, 0 for help and version.
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
  return failed(`unexpected failure: ${what}; set TIDEGATE_DEBUG=1 to see where it comes from`)
}

/** A failure whose message says what is wrong: ours, or of the operating system. */
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
  return failed('the database cannot be written right now, try again in a few seconds')
}

function storageSentence({ problem }: StorageError): string {
  const sentence = storageProblemSentence(problem)
  const isElsewhere = problem.circumstance?.kind === 'backup' || !OF_THE_FOLDER.has(problem.code)
  return isElsewhere ? sentence : `${sentence} To use another data folder, set --data.`
}

function withHint(facts: RefusalFacts): string {
  const sentence = refusalSentence(facts)
  const hint = HINTS[facts.code]
  return hint === undefined ? sentence : `${sentence}; ${hint}`
}

function wrong(message: string): Ending {
  return { exitCode: WRONG, line: oneLine(message) }
}

function failed(message: string): Ending {
  return { exitCode: FAILED, line: oneLine(message) }
}

function oneLine(message: string): string {
  return `error: ${message.trim().replace(/\s*\n\s*/g, ' ')}`
}
