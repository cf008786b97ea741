/** What a plain request says. */
export interface PlainHead {
  /** Path and query as they came. */
  readonly url: string
  /** Those that say who asks, by their names in lower case. */
  readonly headers: Partial<Record<Caller, string>>
  /** Whether the connection ends with the answer. */
  readonly isLast: boolean
}

/** Bytes up to which a request is read here. */
const MAX_BYTES = 4_096
/**
 * One request of HTTP/1.1 (RFC 9112): its line with a path that needs no second look, up to 100 fields, and nothing after
 * them. No folded line, no byte outside of ASCII and no bare line feed is in it.
 */
const PLAIN =
  /^GET (\/[\w\-.~%!$&'()*+,;=:@/?]*) HTTP\/1\.1\r\n(?:[\w!#$%&'*+\-.^`|~]+:[\t\x20-\x7e]*\r\n){1,100}\r\n$/

/**
 * Reads the bytes of a request; undefined if they are anything but one complete plain request: one that announces a
 * body or another protocol, that has not exactly one `Host`, or that names a field twice that is
 * read here.
 */
export function readPlainHead(bytes: Buffer): PlainHead | undefined {
  if (bytes.length > MAX_BYTES) return undefined
  const text = bytes.toString('latin1')
  const [, url] = PLAIN.exec(text) ?? []
  if (url === undefined || url.includes('//')) return undefined
  let hosts = 0
  const headers: Partial<Record<Caller, string>> = {}
  let connection: string | undefined
  let at = text.indexOf('\r\n') + 2
  while (at < text.length - 2) {
    const end = text.indexOf('\r\n', at)
    const colon = text.indexOf(':', at)
    if (MAY_MATTER.has(colon - at)) {
      const name = text.slice(at, colon).toLowerCase()
      if (name === 'host') hosts += 1
      else if (isCaller(name)) {
        if (headers[name] !== undefined) return undefined
        // Its own text: one that is cut from the request would keep all of it in memory.
        headers[name] = bytes.toString('latin1', colon + 1, end).trim()
      } else if (name === 'connection') {
        if (connection !== undefined) return undefined
        connection = text.slice(colon + 1, end).trim()
      } else if (FOR_NODE.has(name)) return undefined
    }
    at = end + 2
  }
  const isLast = connection?.toLowerCase() === 'close'
  const isKept = connection === undefined || connection.toLowerCase() === 'keep-alive'
  if (hosts !== 1 || !(isLast || isKept)) return undefined
  return { url, headers, isLast }
}

/** Fields that say who asks. */
const CALLERS = ['x-service-device', 'x-user-staging-id', 'x-forwarded-for'] as const
type Caller = (typeof CALLERS)[number]

function isCaller(name: string): name is Caller {
  return CALLERS.some((each) => each === name)
}

/** Fields of requests that are more than a question and an answer. */
const FOR_NODE = new Set([
  'content-length',
  'expect',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
])
/** Lengths of the names of fields that are read here. */
const MAY_MATTER = new Set(
  ['host', 'connection', ...CALLERS, ...FOR_NODE].map(({ length }) => length),
)
