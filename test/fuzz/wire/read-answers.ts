/** A response as it was received. */
export interface WireAnswer {
  readonly status: number
  readonly headers: Headers
  /** The body as text. */
  readonly text: string
}

export interface Read {
  readonly answers: readonly WireAnswer[]
  /** What is wrong with the bytes, undefined if they are exactly complete responses. */
  readonly issue: string | undefined
}

const HEAD_END = '\r\n\r\n'

/**
 * Parses all responses that a server sent over one connection, in the order of the requests. The bytes are a
 * string with one character for each. Needs the methods, because a response to HEAD has no body.
 */
export function readAnswers(bytes: string, methods: readonly string[]): Read {
  const answers: WireAnswer[] = []
  let rest = bytes
  while (rest !== '') {
    const end = rest.indexOf(HEAD_END)
    const head = readHead(rest.slice(0, end))
    if (end === -1 || head === undefined) {
      return { answers, issue: `is not the head of an answer: ${excerpt(rest)}` }
    }
    rest = rest.slice(end + HEAD_END.length)
    if (head.status < 200) continue
    const body = readBody(head, rest, methods[answers.length] ?? 'GET')
    if (body === undefined) return { answers, issue: `is cut short: ${excerpt(rest)}` }
    rest = rest.slice(body.length)
    const text = Buffer.from(body.content, 'latin1').toString('utf8')
    answers.push({ ...head, text })
  }
  return { answers, issue: undefined }
}

function readHead(head: string): { status: number; headers: Headers } | undefined {
  const [first = '', ...lines] = head.split('\r\n')
  const status = /^HTTP\/1\.1 (\d{3})(?: [\x20-\x7e]*)?$/.exec(first)?.[1]
  if (status === undefined) return undefined
  const headers = new Headers()
  for (const line of lines) {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+): ?(.*)$/.exec(line) ?? []
    if (name === undefined || value === undefined) return undefined
    headers.append(name, value)
  }
  return { status: Number(status), headers }
}

interface ReadBody {
  /** Its bytes as received. */
  readonly length: number
  readonly content: string
}

function readBody(
  { status, headers }: { status: number; headers: Headers },
  rest: string,
  method: string,
): ReadBody | undefined {
  if (status === 204 || status === 304) return { length: 0, content: '' }
  // A malformed request is rejected with a body, although it may have been a HEAD.
  const isUnread = status === 400 && headers.get('connection') === 'close' && rest !== ''
  if (method === 'HEAD' && !isUnread) return { length: 0, content: '' }
  if (headers.get('transfer-encoding') === 'chunked') return readChunks(rest)
  const length = headers.get('content-length')
  // Without a length, it ends with the connection.
  if (length === null) return { length: rest.length, content: rest }
  const bytes = Number(length)
  return rest.length < bytes ? undefined : { length: bytes, content: rest.slice(0, bytes) }
}

function readChunks(bytes: string): ReadBody | undefined {
  let content = ''
  let at = 0
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    const size = lineEnd === -1 ? Number.NaN : Number.parseInt(bytes.slice(at, lineEnd), 16)
    const start = lineEnd + 2
    if (Number.isNaN(size) || bytes.length < start + size + 2) return undefined
    content += bytes.slice(start, start + size)
    at = start + size + 2
    if (size === 0) return { length: at, content }
  }
}

function excerpt(bytes: string): string {
  return JSON.stringify(bytes.slice(0, 80))
}
