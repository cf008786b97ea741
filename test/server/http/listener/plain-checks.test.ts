import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createListener } from '../../../../src/server/http/listener/listener.ts'
import { perMinute } from '../../../../src/server/http/request/rate-limit.ts'
import { createDeviceChecks } from '../../../../src/server/http/update-feeds/device-checks.ts'
import { apiContextOf } from '../../../support/servers/api-context.ts'
import { publish } from '../../../support/servers/calls.ts'
import { startWithApp } from '../../../support/servers/server.ts'
import { exchange, openSocket, readToEnd } from '../../../support/servers/wire.ts'

const UPDATE = '/u/editor/stable/darwin/aarch64/1.0.0'
const NOTHING_NEWER = '/u/editor/stable/darwin/aarch64/1.1.0'

const ask = (path: string, ...fields: string[]) =>
  [`GET ${path} HTTP/1.1`, 'Host: localhost', ...fields, '', ''].join('\r\n')

let address: string
let listener: ReturnType<typeof createListener>['server']
/** Requests that Node has read. */
let byNode: number
/** The server's ends of connections. */
let sockets: Socket[]

/** The listener of a server once more, whose connections can be seen. */
async function start({ notes = 'Fixes', perDevice = 0, headTime = 10_000 } = {}): Promise<void> {
  const server = await startWithApp()
  await publish(server, '1.1.0', { notes })
  const context = apiContextOf(server)
  const limits = { ...context.limits, device: perMinute(perDevice) }
  const own = { ...context, limits }
  const options = { tls: undefined, maxConnections: 100, headTime }
  listener = createListener(own, createDeviceChecks(own), options).server
  byNode = 0
  sockets = []
  listener.on('request', () => byNode++)
  listener.on('connection', (socket: Socket) => sockets.push(socket))
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    listener.close()
  })
  address = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
}

/** What the server sends on a connection on which each request follows the answer to the one before; the last one closes it. */
async function conversation(...requests: readonly string[]): Promise<string> {
  const socket = await openSocket(address)
  const received = readToEnd(socket)
  for (const [index, request] of requests.entries()) {
    socket.write(request, 'latin1')
    if (index < requests.length - 1) await once(socket, 'data')
  }
  return (await received).replaceAll(/(?<=Date: ).*/g, 'now')
}

/** A field that nobody reads, with a byte that only Node takes. */
const FOR_NODE = 'X-Any: \xe9'

describe('the answer is byte for byte that of Node', () => {
  const device = 'X-Service-Device: device-1'
  test.each([
    ['an update', UPDATE, [device]],
    ['none', NOTHING_NEWER, [device]],
    ['an anonymous device', UPDATE, []],
    ['a query', `${UPDATE}?l.ring=early&bundle=app&manual=1`, [device]],
    ['an invalid label', `${UPDATE}?l.ring=${'x'.repeat(200)}`, [device]],
    ['an invalid device', UPDATE, [`X-Service-Device: ${'x'.repeat(200)}`]],
    ['an invalid version', '/u/editor/stable/darwin/aarch64/latest', [device]],
    ['an unknown app', '/u/nobody/stable/darwin/aarch64/1.0.0', []],
    ['a path of another shape', '/u/editor', []],
    ['a feed', '/electron/editor/stable/latest.yml', ['X-User-Staging-Id: device-1']],
    ['a feed without an update', '/squirrel/editor/stable/win32/x64/1.1.0/RELEASES', [device]],
    ['a broken escape', '/u/editor/stable/darwin/aarch64/%', []],
  ] as const)('%s', async (_what, path, fields) => {
    await start({ notes: 'Grüße ✨' })
    const lastly = [...fields, 'Connection: close']
    const plain = await conversation(ask(path, ...fields), ask(path, ...lastly))
    expect(byNode).toBe(0)
    expect(plain).toBe(
      await conversation(ask(path, ...fields, FOR_NODE), ask(path, ...lastly, FOR_NODE)),
    )
    expect(byNode).toBe(2)
  })

  test('a caller with too many requests', async () => {
    await start({ perDevice: 1 })
    const refused = async (...fields: string[]) => {
      await exchange(address, ask(UPDATE, 'Connection: close'))
      return await exchange(address, ask(UPDATE, 'Connection: close', ...fields))
    }
    const { status, text, headers } = await refused()
    expect([status, byNode]).toEqual([429, 0])
    const other = await refused('X-Any: é')
    expect([other.status, other.text, byNode]).toEqual([429, text, 1])
    expect([...headers.keys()]).toEqual([...other.headers.keys()])
  })

  test('the date, where a response is sent again', async () => {
    await start()
    const times = [0, 0, 1, 60].map((seconds) => Date.now() + seconds * 1_000)
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const socket = await openSocket(address)
    const received = readToEnd(socket)
    for (const time of times) {
      vi.setSystemTime(time)
      const isLast = time === times.at(-1)
      socket.write(ask(UPDATE, ...(isLast ? ['Connection: close'] : [])))
      if (!isLast) await once(socket, 'data')
    }
    const dates = (await received).match(/(?<=Date: ).*GMT/g)
    expect(dates).toEqual(times.map((time) => new Date(time).toUTCString()))
    expect(byNode).toBe(0)
  })
})

test.each([
  ['a body', 'Content-Length: 2', 204],
  ['an offer of another protocol', 'Upgrade: h2c', 204],
  ['two devices', 'X-Service-Device: a\r\nX-Service-Device: b', 400],
  ['two hosts', 'Host: other', 400],
  ['a folded line', 'X-Any: a\r\n b', 400],
  ['a bare line feed', 'X-Any: a\nX-Other: b', 400],
  ['many fields', Array.from({ length: 101 }, (_, at) => `X-${at}: a`).join('\r\n'), 400],
])('a request with %s is left to Node', async (_what, field, status) => {
  await start()
  const answer = await exchange(address, ask(NOTHING_NEWER, 'Connection: close', field))
  expect(answer.status).toBe(status)
  expect(await conversation(ask(NOTHING_NEWER, 'Connection: close'))).toContain(' 204 ')
})

test('a connection goes over to Node with what it had, and stays there', async () => {
  await start()
  const check = ask(NOTHING_NEWER)
  const last = ask(UPDATE, 'Connection: close')
  const feed = ask('/feed/editor/stable')
  const statuses = async (...requests: string[]) =>
    (await conversation(...requests)).match(/(?<=HTTP\/1\.1 )\d+/g)?.map(Number)
  expect(await statuses(check, check, feed, check, last)).toEqual([204, 204, 200, 204, 200])
  expect(byNode).toBe(3)
  // Several at once, and one in pieces.
  expect(await statuses(check, `${check}${check}${last}`)).toEqual([204, 204, 204, 200])
  const socket = await openSocket(address)
  const received = readToEnd(socket)
  socket.write(check.slice(0, 30))
  await expect.poll(() => sockets.at(-1)?.bytesRead).toBe(30)
  socket.write(`${check.slice(30)}${last}`)
  expect(await received).toMatch(/^HTTP\/1\.1 204.*HTTP\/1\.1 200/s)
})

test('a caller that has sent its last byte gets the answer', async () => {
  await start()
  const socket = await openSocket(address)
  socket.end(ask(UPDATE))
  expect(await readToEnd(socket)).toContain('"version":"1.1.0"')
  expect(byNode).toBe(0)
})

test('answers that nobody takes do not pile up', async () => {
  await start()
  const socket = await openSocket(address)
  const [end] = await expectOne()
  end.cork()
  const isPaused = async () => {
    const before = end.bytesRead
    socket.write(ask(UPDATE))
    await expect.poll(() => end.isPaused() || end.bytesRead > before).toBe(true)
    return end.isPaused()
  }
  let asked = 1
  while (!(await isPaused())) asked += 1
  expect(end.writableLength).toBeLessThan(end.writableHighWaterMark + 2_000)
  expect(end.timeout).toBe(listener.timeout)
  end.uncork()
  const received = readToEnd(socket)
  await expect.poll(() => end.isPaused()).toBe(false)
  expect(end.timeout).toBeGreaterThan(listener.keepAliveTimeout)
  socket.end(ask(UPDATE, 'Connection: close'))
  expect((await received).match(/HTTP\/1\.1 200/g)).toHaveLength(asked + 1)
})

/** The server's end of the one connection. */
async function expectOne(): Promise<[Socket]> {
  await expect.poll(() => sockets.length).toBe(1)
  return [sockets[0] as Socket]
}

describe('a connection is closed', () => {
  test('that sends nothing', async () => {
    await start({ headTime: 100 })
    expect(await readToEnd(await openSocket(address))).toBe('')
  })

  test('that waits for another request when the server needs its place or stops', async () => {
    await start()
    const [silent, waiting] = [await openSocket(address), await openSocket(address)]
    waiting.write(ask(NOTHING_NEWER))
    await once(waiting, 'data')
    listener.closeIdleConnections()
    await once(waiting, 'close')
    silent.write(ask(NOTHING_NEWER))
    await once(silent, 'data')
    listener.close()
    await once(silent, 'close')
    expect(byNode).toBe(0)
  })

  test('that has been idle for longer than it is kept', async () => {
    await start()
    listener.keepAliveTimeout = 50
    listener.keepAliveTimeoutBuffer = 0
    const socket = await openSocket(address)
    socket.write(ask(NOTHING_NEWER))
    expect(await readToEnd(socket)).toContain(' 204 ')
  })
})
