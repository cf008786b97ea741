import { isUtf8 } from 'node:buffer'
import { HttpError } from '../answer/errors.ts'
import { text } from '../strings.ts'

const BYTE_ORDER_MARK = '\uFEFF'
/** The start of an escape, without which UTF-8 contains no surrogates. */
const UNICODE_ESCAPE = '\\u'
/** Maximum nesting: more than any route accepts. */
const MAX_DEPTH = 32

/**
 * Parses JSON in UTF-8. A leading byte order mark is ignored, and the last of duplicate members wins, as
 * RFC 8259 allows. Throws the error 400 for invalid UTF-8, invalid JSON, or strings that are not valid
 * Unicode, which would be stored as different strings.
 */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new HttpError(400, text.body.notUtf8)
  const decoded = bytes.toString('utf8')
  const json = decoded.startsWith(BYTE_ORDER_MARK) ? decoded.slice(1) : decoded
  const value = parse(json)
  if (json.includes(UNICODE_ESCAPE)) refuseLoneSurrogates(value)
  return value
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new HttpError(400, text.body.notJson(reason))
  }
}

/** Not recursive: a body of 2 MiB may be a million arrays deep. */
function refuseLoneSurrogates(body: unknown): void {
  const open: Place[] = [{ value: body, key: 'body', parent: undefined, depth: 0 }]
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value, key, depth } = place
    if (depth > MAX_DEPTH) throw new HttpError(400, text.body.tooDeep)
    if (!key.isWellFormed())
      throw new HttpError(400, text.body.loneSurrogateInName(pathOf(place.parent)))
    if (typeof value === 'string') {
      if (!value.isWellFormed()) throw new HttpError(400, text.body.loneSurrogate(pathOf(place)))
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        open.push({ value: member, key: name, parent: place, depth: depth + 1 })
      }
    }
  }
}

interface Place {
  readonly value: unknown
  readonly key: string
  readonly parent: Place | undefined
  readonly depth: number
}

function pathOf(place: Place | undefined): string {
  const keys: string[] = []
  for (let at = place; at?.parent !== undefined; at = at.parent) keys.unshift(at.key)
  return keys.length === 0 ? 'body' : keys.join('.')
}
