/** The update that the device is offered, as the server sends it. */
export interface Update {
  /** SemVer. Lower than the current version if that was rolled back. */
  readonly version: string
  /** Release notes in Markdown, at most 64 KiB. */
  readonly notes: string
  /** When the release was published, RFC 3339. */
  readonly pub_date: string
  /** Absolute address of the file. */
  readonly url: string
  /** Of the file, as it was published: 128 hex digits or base64 of 64 bytes. */
  readonly sha512: string
  /** Of the file, as it was published; empty if it has none. */
  readonly signature: string
  /** Bytes of the file; 0 if it was published without. */
  readonly size: number
  /** Whether people may go on with their version. */
  readonly updateMode: 'optional' | 'required'
  /** Versions below are no longer supported. */
  readonly minimumSupportedVersion: string
  /** Whether `version` is to be installed although it is lower. */
  readonly allowDowngrade: boolean
}

/** Returns whether an answer has all that an update has. */
export function isUpdate(value: unknown): value is Update {
  if (typeof value !== 'object' || value === null) return false
  const members = new Map<string, unknown>(Object.entries(value))
  return (
    STRINGS.every((name) => typeof members.get(name) === 'string') &&
    typeof members.get('size') === 'number' &&
    typeof members.get('allowDowngrade') === 'boolean'
  )
}

const STRINGS = [
  'version',
  'notes',
  'pub_date',
  'url',
  'sha512',
  'signature',
  'updateMode',
  'minimumSupportedVersion',
]

/**
 * Why an update check or a download failed:
 * - `unreachable`: no connection, or it was lost; `cause` has the reason.
 * - `timeout`: no complete answer in time.
 * - `limited`: too many requests (429), or the server is overloaded (503). Try again after `retryAfter` seconds.
 * - `rejected`: the server refused the check, such as 404 for an unknown app; `message` has its reason.
 * - `invalid`: the answer is not one of an update server, such as the login page of a hotel network; or a
 *   file is not the one that was published.
 */
export type CheckProblem = 'unreachable' | 'timeout' | 'limited' | 'rejected' | 'invalid'

/** An update check or a download that failed. The app keeps its version, and checks again later. */
export class CheckError extends Error {
  override readonly name = 'CheckError'
  readonly problem: CheckProblem
  /** Status code of the answer, if there was one. */
  readonly status: number | undefined
  /** Seconds to wait, if the server said so. */
  readonly retryAfter: number | undefined

  constructor(
    problem: CheckProblem,
    message: string,
    facts: {
      readonly status?: number
      readonly retryAfter?: number
      readonly cause?: unknown
    } = {},
  ) {
    super(message, { cause: facts.cause })
    this.problem = problem
    this.status = facts.status
    this.retryAfter = facts.retryAfter
  }
}

/** Reads the answer to a check: the update, or `undefined` for none. Throws `CheckError`. */
export async function readUpdate(response: Response): Promise<Update | undefined> {
  if (response.status === 204) return undefined
  const json = parse(await response.text())
  if (response.status === 200 && isUpdate(json)) return json
  throw errorFor(response, json)
}

/** Reads an answer without a body. Throws `CheckError`. */
export async function readNothing(response: Response): Promise<void> {
  if (response.status === 204) return
  throw errorFor(response, parse(await response.text()))
}

/** Reads why a file cannot be downloaded. */
export async function readFailure(response: Response): Promise<CheckError> {
  return errorFor(response, parse(await response.text().catch(() => '')))
}

function errorFor({ status, headers }: Response, json: unknown): CheckError {
  const message = errorOf(json)
  if (status === 429 || status === 503) {
    const retryAfter = retryAfterOf(headers.get('Retry-After'))
    return new CheckError('limited', message ?? 'The update server is busy.', {
      status,
      ...(retryAfter !== undefined && { retryAfter }),
    })
  }
  if (message !== undefined && status !== 200)
    return new CheckError('rejected', message, { status })
  return new CheckError('invalid', `The answer is not from an update server (status ${status}).`, {
    status,
  })
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

function errorOf(json: unknown): string | undefined {
  if (typeof json !== 'object' || json === null || !('error' in json)) return undefined
  return typeof json.error === 'string' ? json.error : undefined
}

/** Whole seconds, the form that Tidegate sends; a date (RFC 9110, 10.2.3) from a proxy in between counts from now. */
function retryAfterOf(header: string | null): number | undefined {
  if (header === null) return undefined
  if (/^\d+$/.test(header)) return Number(header)
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000))
}
