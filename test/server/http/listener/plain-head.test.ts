import { createServer } from 'node:http'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readPlainHead } from '../../../../src/server/http/listener/plain-head.ts'
import { listenLocally } from '../../../support/servers/listen.ts'
import { exchange } from '../../../support/servers/wire.ts'

const CALLERS = ['x-service-device', 'x-user-staging-id', 'x-forwarded-for']
const NAMES = [
  ...CALLERS,
  ...['Host', 'X-Service-Device', 'X-Forwarded-For', 'Connection', 'Accept'],
  ...['Content-Length', 'Transfer-Encoding', 'Upgrade', 'Expect', 'Proxy-Connection', 'TE', 'a b'],
]
const VALUES = [
  ...['localhost', 'device-1', '', ' ', 'a, b', 'close', 'Keep-Alive', 'chunked', '0', '2', 'x:y'],
  ...[
    '\t tab\t',
    'é',
    '\u007f',
    'upgrade',
    '203.0.113.9',
    '100-continue',
    'a\rb',
    'a\nb',
    'a\r\n b',
  ],
]
const PATHS = [
  '/u/editor/stable/darwin/aarch64/1.0.0',
  '/u/a?l.b=c',
  '/u/%2e',
  '/u/#a',
  '/u/a b',
  '/',
]

const fields = fc
  .record({
    name: fc.constantFrom(...NAMES),
    space: fc.constantFrom('', ' ', '  '),
    value: fc.constantFrom(...VALUES),
  })
  .map(({ name, space, value }) => `${name}:${space}${value}`)

const requests = fc
  .record({
    line: fc.constantFrom(...PATHS, '/u/a').map((path) => `GET ${path} HTTP/1.1`),
    host: fc.constantFrom(['Host: localhost'], []),
    rest: fc.array(fields, { maxLength: 5 }),
    end: fc.constantFrom('\r\n\r\n', '\r\n\r\n', '\r\n\r\n', '\n\n', '\r\n', '\r\n\r\nGET'),
  })
  .map(({ line, host, rest, end }) => [line, ...host, ...rest].join('\r\n') + end)

test('what is read is what Node reads', async () => {
  const server = createServer((request, response) => {
    const { method, url, headers } = request
    const callers = Object.entries(headers).filter(([name]) => CALLERS.includes(name))
    const hasMore = ['content-length', 'transfer-encoding', 'upgrade'].some(
      (name) => name in headers,
    )
    const isLast = headers.connection?.toLowerCase() === 'close'
    response.setHeader('Connection', 'close')
    response.end(
      JSON.stringify({ method, url, headers: Object.fromEntries(callers), isLast, hasMore }),
    )
  })
  const address = `http://${await listenLocally(server)}`
  let read = 0
  await fc.assert(
    fc.asyncProperty(requests, async (request) => {
      const bytes = Buffer.from(request, 'latin1')
      const head = readPlainHead(bytes)
      if (head === undefined) return
      read += 1
      const { status, text } = await exchange(address, bytes)
      expect(status).toBe(200)
      expect(JSON.parse(text)).toEqual({ method: 'GET', hasMore: false, ...head })
    }),
    { numRuns: 3_000 },
  )
  expect(read).toBeGreaterThan(100)
})
