import type { ErrorRequestHandler, RequestHandler } from 'express'
import type { z } from 'zod'
import { issueMessage, parsedBy } from '../../../shared/issue.ts'
import { kindOfRefusal, type RefusalFacts } from '../../../shared/refusal.ts'
import type { RefusalKind } from '../../../shared/refusal-kind.ts'
import { refusalSentence } from '../../../shared/wording/refusals/refusal.ts'
import { isTemporary, OutOfContact, Refusal, Unavailable } from '../../catalog/errors.ts'
import { NotStored } from '../../fleet/ingest/not-stored.ts'
import { PreviewsBusy } from '../../use-cases/releases/preview-serving.ts'
import type { ApiContext } from '../context.ts'
import { nameRequest } from '../request/access-log.ts'
import { text } from '../strings.ts'

/** Seconds after which a caller may try again when the database cannot be written, or a bucket cannot be used. */
export const RETRY_AFTER = 5

const STATUS: Readonly<Record<RefusalKind, number>> = {
  invalid: 400,
  forbidden: 403,
  unknown: 404,
  duplicate: 409,
  rolled_back: 409,
  conflict: 409,
  invariant: 422,
  unauthenticated: 401,
  limited: 429,
  temporary: 503,
}

/** An error response: its status, the message for the caller, and further headers. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.status = status
    this.headers = headers
  }
}

/** Parses an input by its schema; an issue becomes the error 400 that names the member. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): z.output<Schema> {
  return parsedBy(schema, input, (issue) => new HttpError(400, issueMessage(issue)))
}

/** Parses a query and rejects parameters that are not in the schema: a misspelled filter must not return everything. */
export function parseWholeQuery<Schema extends z.ZodObject>(
  schema: Schema,
  query: object,
): z.output<Schema> {
  const known = Object.keys(schema.shape)
  const unknown = Object.keys(query).find((name) => !known.includes(name))
  if (unknown === undefined) return parseInput(schema, query)
  throw new HttpError(400, text.unknownParameter(unknown, known))
}

/** Converts what was thrown to a status and a message. Nothing else does. */
export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error
  if (error instanceof Refusal) {
    return new HttpError(STATUS[error.kind], refusalSentence(error.facts), headersOf(error.facts))
  }
  if (error instanceof NotStored) return unavailable(text.notStored[error.reason])
  if (error instanceof PreviewsBusy) return unavailable(text.previewsBusy)
  if (error instanceof OutOfContact) return unavailable(text.outOfContact)
  if (error instanceof Unavailable || isTemporary(error)) return unavailable(text.unavailable)
  const status = statusOf(error)
  if (error instanceof Error && status >= 400 && status < 500) {
    return new HttpError(400, text.request.invalid(error.message))
  }
  return new HttpError(500, text.internalError)
}

function headersOf(facts: RefusalFacts): Record<string, string> {
  const seconds = 'retrySeconds' in facts ? facts.retrySeconds : RETRY_AFTER
  const isLater = ['limited', 'temporary'].includes(kindOfRefusal(facts.code))
  return isLater ? { 'Retry-After': String(seconds) } : {}
}

function unavailable(message: string): HttpError {
  return new HttpError(503, message, { 'Retry-After': String(RETRY_AFTER) })
}

/** Answers what no route matched. */
export const unknownRoute: RequestHandler = (request) => {
  throw new HttpError(404, text.unknownRoute(request.method, request.path))
}

/** Answers `{ error }` for whatever was thrown, which no cache may keep. Only the log gets the cause of a 500. */
export function errorHandler({ failures, trustProxy }: ApiContext): ErrorRequestHandler {
  return (error, request, response, next) => {
    const { status, message, headers } = toHttpError(error)
    if (status >= 500 && !(error instanceof OutOfContact)) {
      const requestId = nameRequest(request, response, { trustProxy })
      const { method, path } = request
      failures.error(error, 'request failed', { requestId, method, path })
    }
    if (response.headersSent) {
      next(error)
      return
    }
    // A cache may keep a 404 that does not say otherwise (RFC 9110, 15.1), and the file may be there in a moment.
    response.status(status).set('Cache-Control', 'no-store').set(headers).json({ error: message })
  }
}

/** The status that Express gave an error; 0 if it gave none. */
function statusOf(error: unknown): number {
  const status = typeof error === 'object' && error !== null ? Reflect.get(error, 'status') : 0
  return typeof status === 'number' ? status : 0
}
