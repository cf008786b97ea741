import { CheckError } from './check-error.ts'
import { isUpdate, type Update } from './update.ts'

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
