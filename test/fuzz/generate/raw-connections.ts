import fc from 'fast-check'
import { anyBytes, noise } from './noise.ts'
import { toWire } from './request.ts'

/** The bytes that a client sends over one connection, not necessarily valid HTTP. */
export interface RawConnection {
  /** Bytes, written piece by piece; each character is one byte. */
  readonly pieces: readonly string[]
  /** Milliseconds between two pieces. */
  readonly pause: number
  /**
   * The methods of the requests if all of them are valid HTTP: each must get a response, in order, and the last
   * one requests that the connection is closed. Null if the bytes may be anything.
   */
  readonly methods: readonly string[] | null
  /** What the client does after writing: it waits, ends its side, or resets the connection. */
  readonly end: 'wait' | 'half-close' | 'reset'
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']

const path = fc.constantFrom(
  '/',
  '/healthz',
  '/feed/editor/stable',
  '/u/editor/stable/linux/x86_64/1.0.0',
  '/u/editor/stable/linux/x86_64/1.0.0?l.ring=beta',
  '/u/editor/stable/linux/x86_64/%zz',
  '/u/editor/stable/linux/x86_64/%00',
  '/u//stable/linux/x86_64/1.0.0',
  '/u/editor/stable/linux/x86_64/1.0.0/',
  '/u/__proto__/constructor/linux/x86_64/1.0.0',
  '/api/v1/releases',
  '/api/v1/openapi.json',
  '/api/v1/fleet/report',
  '//',
  '/..',
  '/%2e%2e/%2e%2e',
  '/\\',
  '/?',
  '/nothing?#',
  `/${'a'.repeat(8_000)}`,
)

const target = fc.oneof(
  { weight: 6, arbitrary: path },
  path.map((it) => `http://fuzz.example${it}`),
  path.map((it) => `HTTP://user@fuzz.example:80${it}`),
  fc.constantFrom(
    '*',
    'http://',
    'http:///',
    'http://fuzz.example',
    'http://[',
    'https://:0/healthz',
  ),
)

const header = fc.constantFrom<readonly [string, string]>(
  ['X-Service-Device', 'raw-device'],
  ['X-Service-Device', ''],
  ['X-Service-Device', '\xff\xfe'],
  ['Accept', 'text/html'],
  ['Accept-Encoding', 'gzip, br;q=0.1, *;q=0'],
  ['Accept-Encoding', 'identity;q=0'],
  ['If-None-Match', '*'],
  ['If-None-Match', 'W/"x", "'],
  ['If-Modified-Since', 'never'],
  ['Range', 'bytes=0-'],
  ['Expect', 'the worst'],
  ['Upgrade', 'h2c'],
  ['Connection', 'keep-alive, X-Service-Device'],
  ['Forwarded', 'for="[::1]:80"'],
  ['X-Forwarded-For', '::ffff:1.2.3.4, garbage'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['Authorization', 'Bearer'],
  ['Authorization', 'Basic Og=='],
  ['Origin', 'null'],
  ['Access-Control-Request-Method', 'POST'],
  ['Cookie', 'a=b; a'],
  ['__proto__', 'x'],
  ['Content-Type', 'text/plain;;'],
  ['X-Long', 'y'.repeat(6_000)],
)

const body = fc.option(anyBytes(0, 200), { freq: 2 })

const valid = fc.record({
  method: fc.constantFrom(...METHODS),
  target,
  headers: fc.uniqueArray(header, { maxLength: 4, selector: ([name]) => name.toLowerCase() }),
  body,
})

/** A valid request with a chunked body, with extensions and trailers. */
const chunked = fc
  .tuple(
    fc.constantFrom('POST', 'PATCH', 'PUT'),
    path,
    fc.array(anyBytes(1, 60), { maxLength: 6 }),
    fc.constantFrom('', ';a', ';a="b"'),
    fc.constantFrom('', 'X-Trailer: 1\r\n'),
  )
  .map(([method, it, chunks, extension, trailer]) => ({
    method,
    wire: (close: boolean) =>
      `${method} ${it} HTTP/1.1\r\nHost: fuzz.example\r\nTransfer-Encoding: chunked\r\n${
        close ? 'Connection: close\r\n' : ''
      }\r\n${chunks
        .map((chunk) => `${chunk.length.toString(16)}${extension}\r\n${chunk}\r\n`)
        .join('')}0\r\n${trailer}\r\n`,
  }))

const plain = valid.map((request) => ({
  method: request.method,
  wire: (close: boolean) => toWire(request, close),
}))

const pipelined = fc.array(fc.oneof({ weight: 4, arbitrary: plain }, chunked), {
  minLength: 1,
  maxLength: 5,
})

/** The positions at which bytes are split into pieces. */
const cuts = fc.array(fc.nat({ max: 20_000 }), { maxLength: 6 })

const pauses = fc.constantFrom(0, 0, 0, 3)

const wellFormed: fc.Arbitrary<RawConnection> = fc
  .tuple(pipelined, cuts, pauses)
  .map(([requests, places, pause]) => ({
    pieces: cut(requests.map(({ wire }, at) => wire(at === requests.length - 1)).join(''), places),
    pause,
    methods: requests.map(({ method }) => method),
    end: 'wait',
  }))

/** Valid bytes that were mutated, truncated or joined with others. */
const malformed: fc.Arbitrary<RawConnection> = fc
  .tuple(
    // Responses to HEAD have no body, so their end is known only for requests that are understood.
    pipelined.filter((requests) => requests.every(({ method }) => method !== 'HEAD')),
    noise,
    fc.constantFrom('insert', 'overwrite', 'cut', 'before', 'after', 'alone'),
    fc.nat({ max: 3_000 }),
    cuts,
    pauses,
    fc.constantFrom('half-close', 'half-close', 'reset'),
  )
  .map(([requests, bytes, kind, at, places, pause, end]) => {
    const whole = requests.map(({ wire }) => wire(false)).join('')
    return { pieces: cut(harmed(whole, bytes, kind, at), places), pause, methods: null, end }
  })

/** Connections of raw bytes: valid requests one after the other, and invalid ones. */
export const rawConnections: fc.Arbitrary<RawConnection> = fc.oneof(
  { weight: 1, arbitrary: wellFormed },
  { weight: 1, arbitrary: malformed },
)

function harmed(whole: string, noisy: string, kind: string, at: number): string {
  const place = at % (whole.length + 1)
  const few = noisy.slice(0, 1 + (at % 8))
  switch (kind) {
    case 'insert':
      return whole.slice(0, place) + few + whole.slice(place)
    case 'overwrite':
      return whole.slice(0, place) + few + whole.slice(place + few.length)
    case 'cut':
      return whole.slice(0, place)
    case 'before':
      return noisy + whole
    case 'after':
      return whole + noisy
    default:
      return noisy
  }
}

function cut(bytes: string, places: readonly number[]): string[] {
  const at = places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b)
  return [...at, bytes.length]
    .map((end, index) => bytes.slice(index === 0 ? 0 : at[index - 1], end))
    .filter((piece) => piece !== '')
}
