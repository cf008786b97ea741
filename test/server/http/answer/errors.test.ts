import { expect, test } from 'vitest'
import type { SqliteCatalogStore } from '../../../../src/server/storage/sqlite/engine/sqlite-stores.ts'
import { DEVICE } from '../../../support/builders/devices.ts'
import { publishBody } from '../../../support/builders/releases.ts'
import { check, expectError, publish, RELEASES } from '../../../support/servers/calls.ts'
import { type Answer, startServer, startWithApp } from '../../../support/servers/server.ts'
import { exchange, type WireAnswer } from '../../../support/servers/wire.ts'

const MIB = 1_048_576

function expectPlain(answer: Answer): void {
  expect(answer.headers.get('x-powered-by')).toBeNull()
  expect(answer.text).not.toMatch(/\.ts\b|node_modules| {4}at |Error:/)
}

test('a body that is no JSON, or no object, is refused', async () => {
  const server = await startWithApp()
  for (const method of ['POST', 'PATCH']) {
    for (const raw of [
      '{',
      '{"app":}',
      'app=editor',
      '{"app":"editor"',
      '[1,',
      "{'app':1}",
      'nul',
    ]) {
      const answer = await server.call(method, RELEASES, { raw })
      expect(expectError(answer, 400)).toMatch(/^body: is not valid JSON/)
      expectPlain(answer)
    }
    for (const raw of ['[]', '"editor"', '1', 'null', 'true', '[{"app":"editor"}]']) {
      const answer = await server.call(method, RELEASES, { raw })
      expect(expectError(answer, 400)).toBe('body: must be an object')
    }
    const nothing = await server.call(method, RELEASES)
    expect(expectError(nothing, 400)).toMatch(/^app: .*required$/)
  }
})

test('a member named like one of every object is refused and harms nothing', async () => {
  const server = await startWithApp()
  for (const member of ['__proto__', 'constructor', 'toString']) {
    const raw = `{"app":"editor","channel":"stable","version":"1.0.0","${member}":{"polluted":1}}`
    const answer = await server.call('POST', RELEASES, { raw })
    expect(expectError(answer, 400)).toBe(`${member}: is not a known member`)
  }
  expect(Reflect.get({}, 'polluted')).toBeUndefined()
})

test('a body over 2 MiB is refused with 413, one of 2 MiB is read', async () => {
  const server = await startWithApp()
  const frame = JSON.stringify(publishBody('1.0.0', { notes: '' })).length
  const bodyOf = (bytes: number) => publishBody('1.0.0', { notes: 'n'.repeat(bytes - frame) })
  for (const path of [RELEASES, '/api/v1/fleet/report', '/api/v1/fleet/decisions']) {
    const over = await server.call('POST', path, { body: bodyOf(2 * MIB + 1) })
    expect(expectError(over, 413)).toBe('body: must be at most 2 MiB')
  }
  const whole = await server.call('POST', RELEASES, { body: bodyOf(2 * MIB) })
  expect(expectError(whole, 400)).toBe('notes: must be at most 64 KiB of UTF-8')
  const large = await server.call('POST', RELEASES, {
    body: publishBody('1.0.0', { notes: '🚀'.repeat(16_384) }),
  })
  expect(large.status).toBe(201)
})

test('encodings that are not understood are refused in JSON', async () => {
  const server = await startWithApp()
  const body = publishBody('1.0.0')
  const charset = { 'content-type': 'application/json; charset=klingon' }
  expectError(await server.call('POST', RELEASES, { body, headers: charset }), 400)
  const gzip = { 'content-encoding': 'gzip' }
  expectError(await server.call('POST', RELEASES, { body, headers: gzip }), 400)
  const unknown = { 'content-encoding': 'zip' }
  expectError(await server.call('POST', RELEASES, { body, headers: unknown }), 400)
})

test('an unknown route answers 404 in JSON, under /api/v1 without a key too, and so does a wrong method', async () => {
  const server = await startWithApp()
  const routes = [
    ['POST', '/'],
    ['GET', '/favicon.ico'],
    ['GET', '/index.html'],
    ['GET', '/api'],
    ['GET', '/api/v1'],
    ['GET', '/api/v2/releases'],
    ['GET', '/api/v1/release'],
    ['GET', '/api/v1/releases/1.0.0'],
    ['POST', '/api/v1/unknown'],
    ['PUT', '/api/v1/releases'],
    ['DELETE', '/api/v1/releases'],
    ['OPTIONS', '/api/v1/releases'],
    ['GET', '/api/v1/fleet/report'],
    ['PUT', '/api/v1/fleet/decisions'],
    ['OPTIONS', '/api/v1/fleet/report'],
    ['POST', '/api/v1/openapi.json'],
    ['POST', '/healthz'],
    ['OPTIONS', '/healthz'],
    ['GET', '/u'],
    ['GET', '/u/editor/stable/darwin/aarch64'],
    ['GET', '/u/editor/stable/darwin/aarch64/1.0.0/more'],
    ['POST', '/u/editor/stable/darwin/aarch64/1.0.0'],
    ['OPTIONS', '/u/editor/stable/darwin/aarch64/1.0.0'],
    ['GET', '/feed'],
    ['GET', '/feed/editor'],
    ['GET', '/feed/editor/stable/more'],
    ['POST', '/feed/editor/stable'],
    ['GET', '/%E0%A4%A'],
    ['GET', '/..%2f..%2fetc/passwd'],
  ] as const
  for (const [method, path] of routes) {
    for (const key of [null, server.key]) {
      const answer = await server.call(method, path, { key })
      expect(answer.status, `${method} ${path}`).toBe(404)
      expect(expectError(answer, 404)).toMatch(/^unknown route/)
      expectPlain(answer)
    }
  }
})

test('a path that is not percent-encoded UTF-8 is refused', async () => {
  const server = await startWithApp()
  const paths = ['/u/editor/stable/darwin/aarch64/%E0%A4%A', '/feed/editor/%E0%A4%A']
  for (const path of paths) expectPlain(await expect400(path))

  async function expect400(path: string): Promise<Answer> {
    const answer = await server.call('GET', path, { key: null })
    expectError(answer, 400)
    return answer
  }
})

test('invalid HTTP and too large heads are answered in JSON too', async () => {
  const server = await startServer()
  const head = 'GET /healthz HTTP/1.1\r\nConnection: close\r\n'
  const rows: readonly (readonly [string, string])[] = [
    ['hello there\r\n\r\n', 'request: is not a valid HTTP request'],
    ['\x16\x03\x01\x02\x00\x01\x00\r\n\r\n', 'request: is not a valid HTTP request'],
    ['GET /healthz HTTP/9.9\r\n\r\n', 'request: is not a valid HTTP request'],
    [`${head}Host: a\r\nno colon\r\n\r\n`, 'request: is not a valid HTTP request'],
    [
      `${head}Host: a\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`,
      'request: the request line and header fields are too large',
    ],
    [`${head}\r\n`, 'request: the Host header is required'],
  ]
  for (const [bytes, message] of rows) {
    const answer = await exchange(server.address, bytes)
    expect({ status: answer.status, text: answer.text }).toEqual({
      status: 400,
      text: JSON.stringify({ error: message }),
    })
    expectJson(answer)
  }
  const expectation = await exchange(
    server.address,
    `${head}Host: a\r\nExpect: the-unexpected\r\n\r\n`,
  )
  expectJson(expectation)
  expect((await server.call('GET', '/healthz')).status).toBe(200)
})

function expectJson({ headers, text }: WireAnswer): void {
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
  expect(headers.get('connection')).toBe('close')
}

test('a failure of our own is answered as an internal error, and its cause is not shown', async () => {
  const server = await startWithApp()
  await publish(server, '1.0.0')
  const { catalog } = server
  const store = catalog.store as SqliteCatalogStore
  store.close()
  const body = publishBody('2.0.0')
  const devices = [{ deviceId: DEVICE, version: '0.9.0', platform: 'darwin', arch: 'aarch64' }]
  for (const answer of [
    await server.call('GET', RELEASES),
    await server.call('POST', RELEASES, { body }),
    await server.call('POST', '/api/v1/fleet/decisions', { body: { app: 'editor', devices } }),
    await server.call('GET', '/feed/editor/stable', { key: null }),
    // It would be the first to be offered the release, which cannot be made durable.
    await check(server, '0.9.0'),
    await server.call('GET', '/u/unknown/stable/darwin/aarch64/1.0.0', { key: null }),
  ]) {
    expect(expectError(answer, 500)).toBe('internal error')
    expectPlain(answer)
  }
})

test('no answer names the framework', async () => {
  const server = await startWithApp()
  const paths = ['/healthz', '/api/v1/openapi.json', RELEASES, '/feed/editor/stable', '/nowhere']
  for (const path of paths) expectPlain(await server.call('GET', path))
})
