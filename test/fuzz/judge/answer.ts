import { isUtf8 } from 'node:buffer'
import type { ApiDescription } from '../../support/servers/api-description.ts'
import type { FuzzRequest } from '../generate/request.ts'
import type { WireAnswer } from '../wire/read-answers.ts'

const ERROR_TYPE = 'application/json; charset=utf-8'
/** `<path>: <reason>`; a path names a member, a parameter, or what of the request it is. */
const PATH_AND_REASON = /^[\s\S]+?: \S/

/**
 * Returns what is wrong with any answer, whatever was asked: a failure of the server, or an error whose
 * body is not exactly `{ error }` with the headers that its status calls for.
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

/** Returns what is wrong with the answer to a request for an operation, by its description as well. */
export function apiIssues(
  description: ApiDescription,
  request: FuzzRequest,
  answer: WireAnswer,
): string[] {
  const { method, target } = request
  const issues = answerIssues(method, answer)
  const operation = description.operation(method, target)
  // What is wrong with the request as such is not up to the operation.
  if (operation === undefined || errorMessage(answer.text)?.startsWith('request: ')) return issues
  issues.push(...description.issues(operation, { ...answer, body: json(answer.text) }))
  if (answer.status < 300 && bodyFits(description, request) === false) {
    issues.push('takes a body that its description refuses')
  }
  return issues
}

/**
 * Returns the message of a refusal of a body that fits its schema; undefined for every other answer. A
 * schema cannot say everything, so this is no issue; what it could say shows among the messages.
 */
export function refusalOfFitting(
  description: ApiDescription,
  request: FuzzRequest,
  { status, text }: WireAnswer,
): string | undefined {
  return status === 400 && bodyFits(description, request) === true ? errorMessage(text) : undefined
}

/** Whether the body of a request fits its schema; undefined if there is none that could be read. */
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

/** Returns the message where a text is exactly `{ error: string }`. */
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
