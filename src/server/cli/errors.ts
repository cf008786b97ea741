import { CommanderError } from 'commander'
import { z } from 'zod'
import { issueOf } from '../../shared/issue.ts'
import { Refusal } from '../catalog/errors.ts'

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

/** Where to look for what is not known, and what to do about what exists already. */
const HINTS: readonly (readonly [start: RegExp, hint: string])[] = [
  [/^unknown app/, '"app list" shows those that exist, "app create" makes one'],
  [/^unknown channel/, '"channel list" shows those that exist, "channel create" makes one'],
  [/^unknown release/, '"release list" shows those that exist'],
  [/^unknown device/, 'a device is known from its first check-in or report on'],
  [/^unknown key/, '"key list" shows the prefixes of those that exist'],
  [/^(app|channel) ".*already exists$/, 'choose another name'],
  [/^version .*already exists$/, 'releases never change, so publish another version'],
  [/cannot be served again$/, 'publish a new version'],
  [/has been offered to devices$/, 'to take the release back, use --status rolled_back'],
]

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
  if (error instanceof Refusal) return wrong(withHint(error.message))
  if (error instanceof z.ZodError) {
    const { path, reason } = issueOf(error, undefined)
    return wrong(`${path.join('.')}: ${reason}`)
  }
  if (error instanceof Error && isExpected(error)) return failed(error.message)
  const what = error instanceof Error ? error.message : String(error)
  return failed(`unexpected failure: ${what}; set TIDEGATE_DEBUG=1 to see where it comes from`)
}

/** A failure that says itself what is wrong: of ours, of the storage, of the operating system. */
function isExpected(error: Error): boolean {
  return error instanceof Failure || error.name === 'StorageError' || 'syscall' in error
}

function withHint(message: string): string {
  const hint = HINTS.find(([start]) => start.test(message))?.[1]
  return hint === undefined ? message : `${message}; ${hint}`
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
