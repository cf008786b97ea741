import { once } from 'node:events'
import { expect, test } from 'vitest'
import { createListener } from '../../../../src/server/http/listener/listener.ts'
import { createDeviceChecks } from '../../../../src/server/http/update-feeds/device-checks.ts'
import { apiContextOf } from '../../../support/servers/api-context.ts'
import { publish, RELEASES } from '../../../support/servers/calls.ts'
import { listenLocally } from '../../../support/servers/listen.ts'
import { startWithApp } from '../../../support/servers/server.ts'
import { exchange, openSocket, readAnswer, readToEnd } from '../../../support/servers/wire.ts'

const CHECK = 'GET /u/editor/stable/darwin/aarch64/1.0.0 HTTP/1.1\r\nHost: localhost\r\n'

/** The listener of a server once more, with times that a test can wait for. */
async function startImpatient() {
  const server = await startWithApp()
  const context = apiContextOf(server)
  const times = { headTime: 500, requestTime: 1_000, stallTime: 2_000 }
  const options = { tls: undefined, maxConnections: 100, ...times }
  const { server: listener } = createListener(context, createDeviceChecks(context), options)
  const address = `http://${await listenLocally(listener)}`
  return { address, key: server.key, server, listener }
}

test('connections on which no request comes are closed', async () => {
  const { address, key } = await startImpatient()
  const silent = Promise.all(
    Array.from({ length: 20 }, async () => readToEnd(await openSocket(address))),
  )
  expect(new Set(await silent)).toEqual(new Set(['']))

  // A head that never ends, and a body that never ends.
  const late = '{"error":"request: timed out; send it again"}'
  const body = `Authorization: Bearer ${key}\r\nContent-Length: 100\r\n\r\n{`
  for (const part of [CHECK, `POST ${RELEASES} HTTP/1.1\r\nHost: a\r\n${body}`]) {
    const { status, text, headers } = await exchange(address, part)
    expect([status, text, headers.get('connection')]).toEqual([408, late, 'close'])
  }

  // One head after another: the time of a head begins with it.
  const socket = await openSocket(address)
  const received = readToEnd(socket)
  for (let sent = 0; sent < 3; sent += 1) {
    socket.write(`${CHECK}\r\n`)
    await once(socket, 'data')
  }
  socket.write(CHECK)
  const answers = (await received).split(/(?=HTTP\/1\.1 )/).map((text) => readAnswer(text).status)
  expect(answers).toEqual([204, 204, 204, 408])
})

test('a caller that does not read its answers is disconnected', async () => {
  const { address, server, listener } = await startImpatient()
  const notes = 'x'.repeat(60_000)
  for (let minor = 0; minor < 15; minor++) await publish(server, `1.${minor}.0`, { notes })
  const socket = await openSocket(address)
  socket.on('error', () => {}).pause()
  // More than the buffers of both systems hold.
  const asking = 'GET /feed/editor/stable HTTP/1.1\r\nHost: localhost\r\n\r\n'
  socket.write(asking.repeat(40))
  const open = () =>
    new Promise((resolve) => listener.getConnections((_error, count) => resolve(count)))
  await expect.poll(open).toBe(1)
  await expect.poll(open, { timeout: 20_000 }).toBe(0)
  socket.destroy()
})
