import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { answerRaw } from '../../../../src/server/http/listener/raw-answer.ts'
import { RELEASES } from '../../../support/servers/calls.ts'
import { startWithApp, type TestServer } from '../../../support/servers/server.ts'
import { exchange, openSocket, readAnswer, readToEnd } from '../../../support/servers/wire.ts'

const CHECK = 'GET /u/editor/stable/darwin/aarch64/1.0.0 HTTP/1.1\r\nHost: localhost\r\n'
const CHUNK = `10000\r\n${'x'.repeat(0x1_00_00)}\r\n`

function publishHead(server: TestServer, more: string, key = server.key): string {
  return `POST ${RELEASES} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n${more}\r\n\r\n`
}

/** Sends a head and then chunks without end, until the server closes the connection. */
async function sendWithoutEnd(address: string, head: string) {
  const socket = await openSocket(address)
  const received = readToEnd(socket)
  socket.on('error', () => {})
  socket.write(head)
  const more = () => {
    while (socket.writable && socket.write(CHUNK)) {}
  }
  socket.on('drain', more)
  more()
  return readAnswer(await received)
}

test('a body without end is refused as soon as it is too large', async () => {
  const server = await startWithApp()
  const answer = await sendWithoutEnd(
    server.address,
    publishHead(server, 'Transfer-Encoding: chunked'),
  )
  expect(answer.status).toBe(413)
  expect(answer.text).toBe('{"error":"body: must be at most 2 MiB"}')
  expect(answer.headers.get('connection')).toBe('close')
})

test('an unread body does not hold the connection', async () => {
  const server = await startWithApp()
  const chunked = 'Transfer-Encoding: chunked'
  const heads: readonly (readonly [head: string, status: number])[] = [
    [publishHead(server, chunked, 'tg_unknown'), 401],
    [`POST /nowhere HTTP/1.1\r\nHost: a\r\n${chunked}\r\n\r\n`, 404],
    [`GET /healthz HTTP/1.1\r\nHost: a\r\n${chunked}\r\n\r\n`, 200],
    [`${CHECK}${chunked}\r\n\r\n`, 204],
    [`${CHECK}Host: other\r\n${chunked}\r\n\r\n`, 400],
  ]
  for (const [head, status] of heads) {
    const answer = await sendWithoutEnd(server.address, head)
    expect([answer.status, answer.headers.get('connection')], head).toEqual([status, 'close'])
  }
})

test('a body announced as too large is refused before it is sent', async () => {
  const server = await startWithApp()
  for (const more of ['', '\r\nExpect: 100-continue']) {
    const head = publishHead(server, `Content-Length: ${2 ** 21 + 1}${more}`)
    expect((await exchange(server.address, head)).status).toBe(413)
  }
})

test('a caller that waits for 100 Continue gets it only if the body is read', async () => {
  const server = await startWithApp()
  const body = JSON.stringify({ app: 'editor', channel: 'stable', version: '1.0.0' })
  const more = `Content-Length: ${body.length}\r\nExpect: 100-continue`
  const refused = await exchange(server.address, publishHead(server, more, 'tg_unknown'))
  expect(refused.status).toBe(401)

  const socket = await openSocket(server.address)
  socket.write(publishHead(server, `${more}\r\nConnection: close`))
  const asked = await new Promise((resolve) => socket.once('data', (data) => resolve(`${data}`)))
  expect(asked).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  socket.write(body)
  expect(readAnswer(await readToEnd(socket)).status).toBe(201)
})

test('a connection stays open after a body that was read', async () => {
  const server = await startWithApp()
  const publish = (version: string, more = '') => {
    const body = JSON.stringify({ app: 'editor', channel: 'stable', version })
    return publishHead(server, `Content-Length: ${body.length}${more}`) + body
  }
  const socket = await openSocket(server.address)
  const received = readToEnd(socket)
  socket.write(publish('1.0.0') + publish('1.1.0') + publish('1.2.0', '\r\nConnection: close'))
  expect((await received).match(/HTTP\/1\.1 201 Created/g)).toHaveLength(3)
})

test('a request with two Host fields, or with too many fields, is refused', async () => {
  const server = await startWithApp()
  const send = async (head: string) => await exchange(server.address, head)
  const fields = (count: number) => 'X: y\r\n'.repeat(count)
  for (const second of ['Host: localhost', 'HOST: other', 'host:']) {
    const { status, text } = await send(`${CHECK}${second}\r\n\r\n`)
    expect([status, text]).toEqual([400, '{"error":"request: has more than one Host header"}'])
  }
  const old = 'GET /healthz HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n'
  expect((await send(old)).status).toBe(400)
  expect((await send(`${CHECK}${fields(98)}Connection: close\r\n\r\n`)).status).toBe(204)
  for (const count of [100, 2_000, 2_600]) {
    const { status, text } = await send(`${CHECK}${fields(count)}\r\n`)
    expect([status, text]).toEqual([400, '{"error":"request: has more than 100 header fields"}'])
  }
})

/** Opens a connection and has a check answered on it; it is idle then, or closed. */
async function openIdle(server: TestServer): Promise<Socket> {
  const socket = await openSocket(server.address)
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  socket.write(`${CHECK}\r\n`)
  await new Promise((resolve) => socket.once('data', resolve).once('close', resolve))
  return socket
}

const PATIENT = { timeout: 30_000 }
const closedOf = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve))

test('beyond the most connections one more is closed, and idle ones make room', async () => {
  const server = await startWithApp({ maxConnections: 10 })
  const idle = await Promise.all(Array.from({ length: 10 }, () => openIdle(server)))
  const closed = Promise.all(idle.map(closedOf))
  expect((await openIdle(server)).readyState).not.toBe('open')
  await closed
  await openIdle(server)
})

test('one address has a tenth of the connections at most', async () => {
  const server = await startWithApp({ maxConnections: 120 })
  const [first] = await Promise.all(Array.from({ length: 12 }, () => openIdle(server)))
  expect((await openIdle(server)).readyState).not.toBe('open')
  expect(first?.readyState).toBe('open')
  first?.destroy()
  await expect.poll(async () => (await openIdle(server)).readyState, PATIENT).toBe('open')
})

const ROUTES = [
  ['POST', RELEASES],
  ['PATCH', RELEASES],
  ['POST', '/api/v1/fleet/decisions'],
  ['POST', '/api/v1/fleet/report'],
] as const

test('a request without a body is rejected immediately', async () => {
  const server = await startWithApp()
  for (const [method, path] of ROUTES) {
    for (const length of [[], ['Content-Length: 0']]) {
      const lines = [
        `${method} ${path} HTTP/1.1`,
        'Host: localhost',
        `Authorization: Bearer ${server.key}`,
        ...length,
        ...['Connection: close', '', ''],
      ]
      const { status, text } = await exchange(server.address, lines.join('\r\n'))
      expect({ method, path, length, status }).toEqual({ method, path, length, status: 400 })
      expect(text).toMatch(/required"\}$/)
    }
  }
})

test('a caller that has broken the connection before its answer does no harm', async () => {
  const socket = new Duplex({
    read() {},
    write(_chunk, _encoding, done) {
      done(Object.assign(new Error('write ECONNRESET'), { code: 'ECONNRESET' }))
    },
  })
  const closed = new Promise((resolve) => socket.on('close', resolve))
  answerRaw(socket, 404, 'unknown route CONNECT example.com:443')
  await closed
  expect(socket.destroyed).toBe(true)
})
