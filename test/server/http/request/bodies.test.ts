import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HttpError } from '../../../../src/server/http/answer/errors.ts'
import { parseJson } from '../../../../src/server/http/request/body.ts'
import { codePoint } from '../../../support/builders/code-point.ts'
import { publishBody } from '../../../support/builders/releases.ts'
import { RELEASES, shown } from '../../../support/servers/calls.ts'
import { startWithApp, type TestServer } from '../../../support/servers/server.ts'
import { exchange } from '../../../support/servers/wire.ts'

/** Publishes with a body of these bytes. */
async function send(server: TestServer, body: Buffer, header = 'X-None: 1') {
  const lines = [
    `POST ${RELEASES} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${server.key}`,
    `Content-Length: ${body.length}`,
    ...[header, 'Connection: close', '', ''],
  ]
  const head = Buffer.from(lines.join('\r\n'))
  const { status, text } = await exchange(server.address, Buffer.concat([head, body]))
  return { status, error: JSON.parse(text).error }
}

const bytesOf = (version: string, members = {}) =>
  Buffer.from(JSON.stringify(publishBody(version, members)))

test('a body that is not UTF-8 is refused', async () => {
  const server = await startWithApp()
  const [before = '', after = ''] = JSON.stringify(publishBody('1.0.0', { notes: '?' })).split('?')
  for (const bytes of [
    [0xff],
    [0xc3],
    [0xc0, 0xaf],
    [0xed, 0xa0, 0x80],
    [0xf5, 0x80, 0x80, 0x80],
  ]) {
    const body = Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)])
    expect(await send(server, body)).toEqual({ status: 400, error: 'body: is not valid UTF-8' })
  }
  const utf16 = Buffer.from(`\uFEFF${before}${after}`, 'utf16le')
  expect((await send(server, utf16)).error).toBe('body: is not valid UTF-8')
  const latin1 = 'Content-Type: application/json; charset=latin1'
  expect((await send(server, bytesOf('1.0.0'), latin1)).error).toMatch(/^Content-Type: /)
})

test('an unpaired surrogate is rejected with its path', async () => {
  const server = await startWithApp()
  const label = (text: string) => ({ targets: { matchLabels: { ring: ['beta', text] } } })
  const rows: readonly (readonly [members: object, place: string | RegExp])[] = [
    [{ notes: 'half \ud83c' }, 'notes'],
    [{ notes: '\udf89\ud83c' }, 'notes'],
    [label('\udc00'), 'targets.matchLabels.ring.1'],
    [{ 'x\ud800': 1 }, /^body: .* in a member name$/],
  ]
  for (const [members, place] of rows) {
    const { status, error } = await send(server, bytesOf('1.0.0', members))
    expect(status).toBe(400)
    expect(error).toMatch(place)
    expect(error).toMatch(/contains an unpaired surrogate/)
  }
  const escaped = JSON.stringify(publishBody('1.0.0', { notes: '@' })).replace(
    '@',
    '\\uD83C\\udf89',
  )
  expect((await send(server, Buffer.from(escaped))).status).toBe(201)
  expect((await shown(server, '1.0.0')).notes).toBe('\u{1f389}')
})

test('a byte order mark is ignored, and of two members of one name the last counts', async () => {
  const server = await startWithApp()
  const marked = Buffer.concat([Buffer.from('\uFEFF'), bytesOf('1.0.0')])
  expect((await send(server, marked)).status).toBe(201)
  const twice = bytesOf('2.0.0').toString().replace('{', '{"rolloutPct":1,"rolloutPct":5,')
  expect((await send(server, Buffer.from(twice))).status).toBe(201)
  expect((await shown(server, '2.0.0')).rolloutPct).toBe(5)
})

test('compressed bodies are read, and refused if they are too large once decompressed', async () => {
  const server = await startWithApp()
  const coded = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }
  for (const [index, [coding, compress]] of Object.entries(coded).entries()) {
    const header = `Content-Encoding: ${coding}`
    expect((await send(server, compress(bytesOf(`1.${index}.0`)), header)).status).toBe(201)
    const bomb = compress(Buffer.alloc(5_000_000, ' '))
    expect(await send(server, bomb, header)).toMatchObject({ status: 413 })
    expect((await send(server, bytesOf('9.0.0'), header)).error).toMatch(/^body: cannot be read/)
  }
})

test('reads every JSON document as JSON.parse does, unless a string is no text', () => {
  const text = fc.string({
    unit: fc.oneof(fc.string(), fc.constantFrom('\ud800', '\udfff', '\u{1f389}')),
  })
  fc.assert(
    fc.property(fc.json({ stringUnit: codePoint }), text, (json, string) => {
      expect(parseJson(Buffer.from(json))).toEqual(JSON.parse(json))
      const holder = JSON.stringify({ list: [{ [`key ${string}`]: 1 }, { value: string }] })
      const read = () => parseJson(Buffer.from(holder))
      if (string.isWellFormed()) expect(read()).toEqual(JSON.parse(holder))
      else expect(read).toThrow(HttpError)
    }),
  )
})

test('is not brought down by a document of any depth', () => {
  const depth = 1_000_000
  const deep = `${'['.repeat(depth)}"\\ud800"${']'.repeat(depth)}`
  expect(() => parseJson(Buffer.from(deep))).toThrow(HttpError)
})
