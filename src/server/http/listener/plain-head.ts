/** Fields that say who asks. */
type Caller = 'x-service-device' | 'x-user-staging-id' | 'x-forwarded-for'

export interface PlainHead {
  /** Path and query as they came. */
  readonly url: string
  /** Those that say who asks, by their names in lower case. */
  readonly headers: Readonly<Record<Caller, string | undefined>>
  /** Whether the connection ends with the answer. */
  readonly isLast: boolean
}

/** Bytes up to which a request is read here. */
const MAX_BYTES = 4_096
const METHOD = 'GET '
/**
 * One request of HTTP/1.1 (RFC 9112): its line with a path that needs no second look, up to 100 fields, and nothing after
 * them. No folded line, no byte outside of ASCII and no bare line feed is in it.
 */
const PLAIN =
  /^GET \/[\w\-.~%!$&'()*+,;=:@/?]* HTTP\/1\.1\r\n(?:[\w!#$%&'*+\-.^`|~]+:[\t\x20-\x7e]*\r\n){1,100}\r\n$/

/**
 * Reads the bytes of a request; undefined if they are anything but one complete plain request: one that announces a
 * body or another protocol, that has not exactly one `Host`, or that names a field twice that is
 * read here.
 */
export function readPlainHead(bytes: Buffer): PlainHead | undefined {
  if (bytes.length > MAX_BYTES) return undefined
  const text = bytes.toString('latin1')
  if (!PLAIN.test(text)) return undefined
  const url = text.slice(METHOD.length, text.indexOf(' ', METHOD.length))
  if (url.includes('//')) return undefined
  let hosts = 0
  let device: string | undefined
  let staging: string | undefined
  let forwarded: string | undefined
  let connection: string | undefined
  let at = text.indexOf('\r\n', METHOD.length + url.length) + 2
  while (at < text.length - 2) {
    const end = text.indexOf('\r\n', at)
    const colon = text.indexOf(':', at)
    if (MAY_MATTER.has(beginningOf(text.charCodeAt(at), colon - at))) {
      switch (text.slice(at, colon).toLowerCase()) {
        case 'host':
          hosts += 1
          break
        case 'x-service-device':
          if (device !== undefined) return undefined
          device = valueIn(bytes, colon + 1, end)
          break
        case 'x-user-staging-id':
          if (staging !== undefined) return undefined
          staging = valueIn(bytes, colon + 1, end)
          break
        case 'x-forwarded-for':
          if (forwarded !== undefined) return undefined
          forwarded = valueIn(bytes, colon + 1, end)
          break
        case 'connection':
          if (connection !== undefined) return undefined
          connection = valueIn(bytes, colon + 1, end)
          break
        case 'content-length':
        case 'expect':
        case 'proxy-connection':
        case 'transfer-encoding':
        case 'upgrade':
          return undefined
        default:
      }
    }
    at = end + 2
  }
  const isLast = connection?.toLowerCase() === 'close'
  const isKept = connection === undefined || connection.toLowerCase() === 'keep-alive'
  if (hosts !== 1 || !(isLast || isKept)) return undefined
  const headers = {
    'x-service-device': device,
    'x-user-staging-id': staging,
    'x-forwarded-for': forwarded,
  }
  return { url, headers, isLast }
}

/** Its own text: one that is cut from the request would keep all of it in memory. */
function valueIn(bytes: Buffer, start: number, end: number): string {
  return bytes.toString('latin1', start, end).trim()
}

/** The first letter of a name, in any case, and its length. */
function beginningOf(letter: number, length: number): number {
  return length * 32 + (letter & 31)
}

/** How the names begin that are read here: most others need no look at their text. */
const MAY_MATTER = new Set(
  [
    ...['host', 'connection', 'x-service-device', 'x-user-staging-id', 'x-forwarded-for'],
    ...['content-length', 'expect', 'proxy-connection', 'transfer-encoding', 'upgrade'],
  ].map((name) => beginningOf(name.charCodeAt(0), name.length)),
)
