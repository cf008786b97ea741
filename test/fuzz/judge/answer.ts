import { isUtf8 } from 'node:buffer'
import type { ApiDescription } from '../../support/servers/api-description.ts'
import type { FuzzRequest } from '../generate/request.ts'
import type { WireAnswer } from '../wire/read-answers.ts'

const ERROR_TYPE = 'application/json; charset=utf-8'
/** `<path>: <reason>`; a path names a member, a parameter, or another part of the request. */
const PATH_AND_REASON = /^[\s\S]+?: \S/

/**
 * Returns what is wrong with a response to any request: a server error, or an error whose body is not exactly
 * `{ error }` with the headers that its status requires.
 */
export function answerIssues(method: string, answer: WireAnswer): string[] {
  const { status, headers, text } = answer
  const issues: string[] = []
  if (status >= 500 && status !== 503) issues.push(`answers ${status}`)
  if (status === 401 && headers.get('www-authenticate') !== 'Bearer') {
    issues.push('401 has no WWW-Authenticate: Bearer')
  }
  if ((status === 429 || status === 503) && !/^\d+$/.test(headers.get('retry-after') ?? '')) {
    issues.push(`${status} has no Retry-After in seconds`)
  }
  if (status < 400 || method === 'HEAD') return issues
  const message = errorMessage(text)
  if (message === undefined) issues.push(`${status} is not exactly { error }`)
  if (headers.get('content-type') !== ERROR_TYPE) issues.push(`${status} is not sent as JSON`)
  if (status === 400 && message !== undefined && !PATH_AND_REASON.test(message)) {
    issues.push(`the message of a 400 is not <path>: <reason> but "${message}"`)
  }
  return issues
}

/** Returns what is wrong with the response to a request for an operation, including deviations from its description. */
export function apiIssues(
  description: ApiDescription,
  request: FuzzRequest,
  answer: WireAnswer,
): string[] {
  const { method, target } = request
  const issues = answerIssues(method, answer)
  const operation = description.operation(method, target)
  // Errors of the request as such are not described with the operation.
  if (operation === undefined || errorMessage(answer.text)?.startsWith('request: ')) return issues
  issues.push(...description.issues(operation, { ...answer, body: json(answer.text) }))
  if (answer.status < 300 && bodyFits(description, request) === false) {
    issues.push('takes a body that its description refuses')
  }
  return issues
}

/**
 * Returns the message if a body that matches its schema is rejected; undefined for every other response. A
 * schema cannot express every rule, so this is no issue. The messages show which rules it could express.
 */
export function refusalOfFitting(
  description: ApiDescription,
  request: FuzzRequest,
  { status, text }: WireAnswer,
): string | undefined {
  return status === 400 && bodyFits(description, request) === true ? errorMessage(text) : undefined
}

/** Returns whether the body of a request matches its schema; undefined if there is no readable body. */
function bodyFits(description: ApiDescription, request: FuzzRequest): boolean | undefined {
  const { method, target, body, headers } = request
  const operation = description.operation(method, target)
  const isEncoded = headers.some(([name]) => name === 'Content-Encoding')
  if (operation === undefined || body === null || isEncoded) return undefined
  const bytes = Buffer.from(body, 'latin1')
  // A byte order mark may be ignored (RFC 8259, section 8.1).
  const text = bytes.toString('utf8').replace(/^\ufeff/, '')
  const sent = isUtf8(bytes) ? json(text) : undefined
  return description.takes(operation, sent)
}

/** Returns the message if a text is exactly `{ error: string }`. */
function errorMessage(text: string): string | undefined {
  const body = json(text)
  if (typeof body !== 'object' || body === null) return undefined
  const entries = Object.entries(body)
  const [[name, message] = ['', undefined]] = entries
  return entries.length === 1 && name === 'error' && typeof message === 'string'
    ? message
    : undefined
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
