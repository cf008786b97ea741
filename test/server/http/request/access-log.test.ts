import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { AccessLog } from '../../../../src/server/http/request/access-log.ts'
import { FailureLog } from '../../../../src/server/http/request/failure-log.ts'
import type { SqliteCatalogStore } from '../../../../src/server/storage/sqlite/engine/sqlite-stores.ts'
import { eventually } from '../../../support/eventually.ts'
import { request, startWithApp } from '../../../support/servers/server.ts'

/** A log whose lines can be read. */
function readableLog() {
  const lines: Record<string, unknown>[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  return { lines, log: pino(stream) }
}

test('every request is a line, without its query and its key', async () => {
  const { lines, log } = readableLog()
  const server = await startWithApp({}, undefined, { accessLog: log })
  const headers = { 'user-agent': 'Editor/1.0', 'x-service-device': 'device-secret' }
  const check = await request(
    `${server.address}/u/editor/stable/linux/x64/1.0.0?l.owner=kim`,
    'GET',
    { headers },
  )
  await server.call('GET', '/api/v1/releases?app=editor')
  await request(`${server.address}/console/downloads/ticket-secret`, 'GET')
  await eventually(() => expect(lines.length).toBe(3))
  expect(lines[0]).toMatchObject({
    level: 30,
    msg: 'access',
    requestId: check.headers.get('x-request-id'),
    address: '127.0.0.1',
    method: 'GET',
    path: '/u/editor/stable/linux/x64/1.0.0',
    status: 204,
    milliseconds: expect.any(Number),
    userAgent: 'Editor/1.0',
  })
  expect(lines[1]).toMatchObject({ path: '/api/v1/releases', status: 200 })
  const all = JSON.stringify(lines)
  for (const secret of ['kim', 'device-secret', 'ticket-secret', server.key]) {
    expect(all).not.toContain(secret)
  }
})

test('only a trusted proxy says the address and names the request', async () => {
  const { lines, log } = readableLog()
  const trusting = await startWithApp({ trustProxy: ['loopback'] }, undefined, { accessLog: log })
  const ask = async (address: string, id: string) => {
    const headers = { 'x-forwarded-for': '192.0.2.7', 'x-request-id': id }
    return (await request(`${address}/healthz`, 'GET', { headers })).headers.get('x-request-id')
  }
  expect(await ask(trusting.address, 'proxy-1')).toBe('proxy-1')
  // Too long, and not a name.
  expect(await ask(trusting.address, 'x'.repeat(65))).toMatch(/^[\da-f-]{36}$/)
  expect(await ask(trusting.address, 'a b')).toMatch(/^[\da-f-]{36}$/)
  const careful = await startWithApp({}, undefined, { accessLog: log })
  expect(await ask(careful.address, 'forged')).toMatch(/^[\da-f-]{36}$/)
  await eventually(() => expect(lines.length).toBe(4))
  expect(lines.map(({ address }) => address)).toEqual([
    ...['192.0.2.7', '192.0.2.7', '192.0.2.7'],
    '127.0.0.1',
  ])
})

test('the log of a failure has the name of the request', async () => {
  const { lines, log } = readableLog()
  const server = await startWithApp({}, log)
  const store = server.catalog.store as SqliteCatalogStore
  store.close()
  const answer = await server.call('GET', '/api/v1/releases?app=editor')
  expect(answer.status).toBeGreaterThanOrEqual(500)
  const line = lines.find(({ msg }) => msg === 'request failed')
  expect(line?.requestId).toBe(answer.headers.get('x-request-id'))
})

test('one address cannot write without end, and what is left out is counted', () => {
  const { lines, log } = readableLog()
  let now = 0
  const access = new AccessLog({ log, trustProxy: null, clock: () => now })
  const ask = (remoteAddress: string) => {
    const asked = new IncomingMessage(new Socket())
    Object.assign(asked, { method: 'GET', url: '/healthz' })
    Object.defineProperty(asked.socket, 'remoteAddress', { value: remoteAddress })
    const response = new ServerResponse(asked)
    access.record(asked, response)
    response.emit('close')
  }
  for (let i = 0; i < 1_300; i++) ask('192.0.2.1')
  expect(lines.length).toBe(1_200)
  ask('192.0.2.2')
  expect(lines.at(-1)).toMatchObject({ address: '192.0.2.2', leftOut: 100 })
  now += 60_000
  ask('192.0.2.1')
  expect(lines.at(-1)).toMatchObject({ address: '192.0.2.1' })
  expect(lines.at(-1)).not.toHaveProperty('leftOut')
})

test('a failure that repeats is logged ten times a minute, with how often it was left out', () => {
  const lines: { msg: string; path?: string; leftOut?: number; err: { message: string } }[] = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const time = { now: 0 }
  const failures = new FailureLog(pino({}, stream), () => time.now)
  const cause = new Error('disk full')
  for (let count = 0; count < 100; count += 1) failures.error(cause, 'failed', { path: '/x' })
  expect(lines).toHaveLength(10)
  expect(lines[0]).toMatchObject({ msg: 'failed', path: '/x', err: { message: 'disk full' } })
  expect(lines.some((line) => 'leftOut' in line)).toBe(false)
  failures.error(cause, 'another')
  expect(lines.at(-1)?.msg).toBe('another')
  time.now += 6_000
  failures.error(cause, 'failed')
  expect(lines.at(-1)).toMatchObject({ msg: 'failed', leftOut: 90 })
  time.now += 6_000
  failures.error(cause, 'failed')
  expect(lines.at(-1)?.leftOut).toBeUndefined()
  expect(lines).toHaveLength(13)
})
