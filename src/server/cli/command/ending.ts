import { CommanderError } from 'commander'
import { z } from 'zod'
import {
  CertificateError,
  ConnectionError,
  RemoteCallError,
} from '../../../remote/connection-error.ts'
import { messageOf } from '../../../shared/basics/message-of.ts'
import type { CallError } from '../../../shared/console/bridge/bridge.ts'
import { issueOf } from '../../../shared/issue.ts'
import type { StorageErrorCode } from '../../../shared/operation/storage-problem.ts'
import { kindOfRefusal, type RefusalFacts } from '../../../shared/refusal.ts'
import type { RefusalKind } from '../../../shared/refusal-kind.ts'
import { storageProblemSentence } from '../../../shared/wording/operation/storage-problem.ts'
import { refusalSentence } from '../../../shared/wording/refusals/refusal.ts'
import { Refusal, Unavailable } from '../../catalog/errors.ts'
import { StorageError } from '../../storage/interface/storage-error.ts'
import {
  ApiError,
  KeyInsufficient,
  NotSignedIn,
  ServerNotRunning,
  ServerUnreachable,
} from '../server/remote-errors.ts'
import { HINTS, text } from '../strings/common.ts'
import { text as remote } from '../strings/server.ts'
import { EXIT, type ExitName, Failure, StateConflict, UsageError } from './errors.ts'

/** How a command that threw ends. */
export interface Ending {
  readonly exitCode: number
  /** One line for stderr; undefined without an error. */
  readonly line: string | undefined
  /** The same for `--json`. */
  readonly document?: ErrorDocument | undefined
}

/** What `--json` prints to stderr for an error. */
export const ErrorDocument = z.strictObject({
  error: z.strictObject({
    /** The code of the server's refusal, or else the name of the exit code. */
    code: z.string(),
    message: z.string(),
    exitCode: z.int(),
    /** The facts of a refusal. */
    facts: z.record(z.string(), z.unknown()).optional(),
  }),
})
export type ErrorDocument = z.infer<typeof ErrorDocument>

/** Converts what was thrown to a line and an exit code; `EXIT` lists them. */
export function endingOf(error: unknown): Ending {
  if (error instanceof Error && CARRIERS.has(error.name) && error.cause !== undefined) {
    // An answer that breaks its schema is a fault of the program, not of the input.
    const isOwn = error.cause instanceof z.ZodError && !isBadRequest(error)
    return isOwn ? endingOfFailure(error.cause) : endingOf(error.cause)
  }
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return { exitCode: EXIT.ok, line: undefined }
    return ended('usage', error.message.replace(/^error: (?:command-argument )?/, ''))
  }
  if (error instanceof UsageError) return ended('usage', error.message)
  if (error instanceof StateConflict) return ended('refused', error.message)
  if (error instanceof Refusal) return refused(error.facts)
  if (error instanceof z.ZodError) {
    const { path, reason } = issueOf(error, undefined)
    return ended('usage', `${path.join('.')}: ${reason}`)
  }
  if (error instanceof Unavailable) return unavailable(error)
  if (error instanceof StorageError) return ended('failed', storageSentence(error))
  return endingOfRemote(error) ?? endingOfFailure(error)
}

/** The errors of tRPC, around what a procedure threw. */
const CARRIERS: ReadonlySet<string> = new Set(['TRPCError', 'TRPCClientError'])

function isBadRequest(error: Error): boolean {
  return 'code' in error && error.code === 'BAD_REQUEST'
}

/** What went wrong between here and a server over the network, or on it. */
function endingOfRemote(error: unknown): Ending | undefined {
  if (error instanceof RemoteCallError) return answered(error.error)
  if (error instanceof ApiError) return ended(API_ENDINGS[error.status] ?? 'refused', error.message)
  if (error instanceof NotSignedIn) return ended('unauthorized', remote.notSignedIn(error.server))
  if (error instanceof KeyInsufficient) return ended('unauthorized', remote.keyInsufficient)
  if (error instanceof ServerNotRunning) {
    return ended('unreachable', remote.notRunning(error.place))
  }
  if (error instanceof ServerUnreachable) {
    const problem = connectionSentence(error.cause)
    return ended('unreachable', remote.cannotReach(error.server, problem))
  }
  if (error instanceof ConnectionError) return ended('unreachable', connectionSentence(error))
  return undefined
}

function connectionSentence(error: ConnectionError): string {
  if (!(error instanceof CertificateError)) return remote.connection[error.failure.reason]
  const { pinned, presented, failure } = error
  if (pinned === null) return remote.untrusted(presented, failure.detail)
  return remote.otherCertificate(pinned, presented)
}

function endingOfFailure(error: unknown): Ending {
  if (error instanceof Error && isExpected(error)) return ended('failed', error.message)
  return ended('failed', text.unexpected(messageOf(error)))
}

/** Returns whether the message of a failure explains it: ours, or one of the operating system. */
function isExpected(error: Error): boolean {
  return error instanceof Failure || 'syscall' in error
}

/** How a command ends for an error response of the public API, by its status; others are refusals. */
const API_ENDINGS: Readonly<Record<number, ExitName>> = {
  400: 'usage',
  401: 'unauthorized',
  403: 'unauthorized',
  408: 'unreachable',
  429: 'unreachable',
  500: 'failed',
  503: 'unreachable',
}

function answered(error: CallError): Ending {
  if ('refusal' in error) return refused(error.refusal)
  const { unknown_procedure, out_of_contact, database_unwritable, other } = remote.failures
  if (error.reason === 'unknown_procedure') return ended('failed', unknown_procedure)
  if (error.reason === 'out_of_contact') return ended('unreachable', out_of_contact)
  if (error.reason === 'database_unwritable') return ended('unreachable', database_unwritable)
  return ended('failed', other)
}

const ENDINGS: Readonly<Record<RefusalKind, ExitName>> = {
  invalid: 'usage',
  unknown: 'refused',
  duplicate: 'refused',
  rolled_back: 'refused',
  conflict: 'refused',
  invariant: 'refused',
  forbidden: 'unauthorized',
  unauthenticated: 'unauthorized',
  limited: 'unreachable',
  temporary: 'unreachable',
}

function refused(facts: RefusalFacts): Ending {
  const { code, ...rest } = facts
  const kind = kindOfRefusal(code)
  // A change that needs somebody else is within the rights of who asks.
  const isRule = kind === 'forbidden' && code !== 'forbidden' && code !== 'not_granted'
  const ending = ended(isRule ? 'refused' : ENDINGS[kind], withHint(facts))
  if (ending.document === undefined) return ending
  return { ...ending, document: { error: { ...ending.document.error, code, facts: rest } } }
}

/** Problems that another data folder does not have. */
const OF_THE_FOLDER: ReadonlySet<StorageErrorCode> = new Set([
  'locked',
  'not_a_database',
  'foreign_database',
])

function unavailable({ cause }: Unavailable): Ending {
  if (cause instanceof StorageError) return ended('failed', storageSentence(cause))
  return ended('failed', text.databaseBusy)
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

function ended(code: ExitName, told: string): Ending {
  const message = told.trim().replace(/\s*\n\s*/g, ' ')
  const exitCode = EXIT[code]
  const document = { error: { code, message, exitCode } }
  return { exitCode, line: text.error(message), document }
}
