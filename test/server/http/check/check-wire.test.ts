import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { deviceWithin } from '../../../support/builders/devices.ts'
import { publish, serve } from '../../../support/servers/calls.ts'
import { startWithApp, type TestServer } from '../../../support/servers/server.ts'
import { exchange } from '../../../support/servers/wire.ts'

const NEWER = '/u/editor/stable/darwin/aarch64/1.0.0'
const NEWEST = '/u/editor/stable/darwin/aarch64/1.1.0'

async function startPublished(): Promise<TestServer> {
  const server = await startWithApp()
  await publish(server, '1.1.0', { notes: 'Grüße ✨ '.repeat(2_000) })
  return server
}

function requestText(path: string, headers: Readonly<Record<string, string>>, method = 'GET') {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${lines.join('')}\r\n`
}

/** One request, its path sent as it is. */
function send(
  { address }: Pick<TestServer, 'address'>,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
) {
  return exchange(address, requestText(path, { ...headers, Connection: 'close' }, method))
}

const namesOf = (headers: Headers) => [...headers.keys()].sort()

describe('no update', () => {
  test('is a head and not one byte more', async () => {
    const server = await startPublished()
    const { status, headers, text } = await send(server, NEWEST)
    expect(status).toBe(204)
    expect(namesOf(headers)).toEqual(['cache-control', 'connection', 'date'])
    expect(headers.get('cache-control')).toBe('no-store')
    expect(text).toBe('')
  })

  test('leaves the connection in order for the next request on it', async () => {
    const server = await startPublished()
    const [kept, last] = [{}, { Connection: 'close' }].map((more) => requestText(NEWEST, more))
    const { status, text } = await exchange(server.address, `${kept}${kept}${last}`)
    expect(status).toBe(204)
    // What follows the first head are the two other answers, nothing between them.
    expect(text.match(/HTTP\/1\.1 204 No Content\r\n/g)).toHaveLength(2)
    expect(text).toMatch(/^HTTP\/1\.1 204 No Content\r\n/)
    expect(text).not.toMatch(/content-length|transfer-encoding/i)
  })
})

describe('an update', () => {
  test('is JSON of known length that must not be cached', async () => {
    const server = await startPublished()
    const { status, headers, text } = await send(server, NEWER)
    expect(status).toBe(200)
    expect(namesOf(headers)).toEqual([
      'cache-control',
      'connection',
      'content-length',
      'content-type',
      'date',
    ])
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
    expect(JSON.parse(text).version).toBe('1.1.0')
  })

  test('is complete for conditional requests, and never compressed', async () => {
    const server = await startPublished()
    const plain = await send(server, NEWER)
    for (const [name, value] of [
      ['If-None-Match', '*'],
      ['If-None-Match', 'W/"1", "2"'],
      ['If-Modified-Since', new Date(Date.now() + 1e9).toUTCString()],
      ['Range', 'bytes=0-9'],
      ['Accept-Encoding', 'gzip, br, zstd, deflate'],
      ['Accept', 'text/html'],
    ] as const) {
      const { status, headers, text } = await send(server, NEWER, { [name]: value })
      expect({ status, text }, name).toEqual({ status: plain.status, text: plain.text })
      expect(namesOf(headers), name).toEqual(namesOf(plain.headers))
    }
  })

  test('to a HEAD request is the same head without a body', async () => {
    const server = await startPublished()
    const get = await send(server, NEWER)
    const head = await send(server, NEWER, {}, 'HEAD')
    expect(head.text).toBe('')
    expect(head.status).toBe(200)
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'))
  })
})

test('no spelling of the path is answered with a redirect', async () => {
  const server = await startPublished()
  for (const path of [
    NEWER,
    `${NEWER}/`,
    `${NEWER}//`,
    `/${NEWER}`,
    '/u//editor/stable/darwin/aarch64/1.0.0',
    '/U/editor/stable/darwin/aarch64/1.0.0',
    '/u/EDITOR/stable/darwin/aarch64/1.0.0',
    '/u/editor/stable/DARWIN/AARCH64/1.0.0',
    '/u/editor/stable/darwin/aarch64',
    '/u/editor/stable/darwin/aarch64/1.0.0/more',
    '/u/editor/stable/../stable/darwin/aarch64/1.0.0',
    '/u/editor/stable/%2e%2e/darwin/aarch64/1.0.0',
    '/u',
    '/u/',
  ]) {
    const { status, headers } = await send(server, path)
    expect([200, 204, 400, 404], `${path} answers ${status}`).toContain(status)
    expect(headers.has('location'), path).toBe(false)
  }
})

test('a trailing slash makes no difference', async () => {
  const server = await startPublished()
  const [one, other] = [await send(server, NEWER), await send(server, `${NEWER}/`)]
  expect([other.status, other.text]).toEqual([200, one.text])
})

test('query parameters that are no labels are ignored', async () => {
  const server = await startPublished()
  const plain = await send(server, NEWER)
  for (const query of ['?', '?x=1&x=2', '?label.ring=x', '?l', '?=&&=', '?%', '?current=v1.0']) {
    const { status, text } = await send(server, NEWER + query)
    expect([status, text], query).toEqual([200, plain.text])
  }
})

test('the way through Express answers every check as the way ahead of it does', async () => {
  const log = pino({ level: 'silent' }, { write: () => {} })
  const server = await startWithApp({}, log)
  const rollout = await publish(server, '1.1.0', { rolloutPct: 50, notes: 'Grüße ✨' })
  await publish(server, '1.2.0', { targets: { matchLabels: { ring: 'beta' } } })
  await publish(server, '2.0.0')
  await serve(server, '2.0.0', { status: 'rolled_back' })
  const [inside, outside] = [deviceWithin(rollout.id, 0, 0.5), deviceWithin(rollout.id, 0.5, 1)]
  const requests: [path: string, headers?: Record<string, string>, method?: string][] = [
    [NEWER, { 'X-Service-Device': inside }],
    [NEWER, { 'X-Service-Device': outside }],
    [NEWER],
    [NEWER, { 'X-Service-Device': 'not one' }],
    [`${NEWER}/`],
    [`${NEWER}?l.ring=beta`, { 'X-Service-Device': 'labelled' }],
    [NEWER, { 'X-Service-Device': 'labelled' }],
    [`${NEWER}?l.ring=`, { 'X-Service-Device': 'labelled' }],
    [`${NEWER}?l.-=x`],
    ['/u/editor/stable/darwin/aarch64/2.0.0', { 'X-Service-Device': inside }],
    ['/u/editor/stable/darwin/aarch64/v1.2.0%2B7'],
    ['/u/editor/stable/linux/x86_64/1.0.0'],
    ['/u/editor/stable/darwin/aarch64/one'],
    ['/u/editor/stable/darwin/aarch64/1.0.0%FF'],
    ['/u/player/stable/darwin/aarch64/1.0.0'],
    ['/u/editor/beta/darwin/aarch64/1.0.0'],
    [NEWER, { 'If-None-Match': '*', 'Accept-Encoding': 'gzip' }],
  ]
  const answers = async () => {
    const found = []
    for (const [path, headers, method] of requests) {
      const answer = await send(server, path, headers, method)
      answer.headers.delete('date')
      found.push({ path, ...answer, headers: Object.fromEntries(answer.headers) })
    }
    return found
  }
  await answers()
  const ahead = await answers()
  log.level = 'debug'
  const through = await answers()
  expect(through).toEqual(ahead)
  expect(new Set(ahead.map(({ status }) => status))).toEqual(new Set([200, 204, 400, 404]))
})
