import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import express from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { requireApp, requireChannel } from '../../../../src/server/catalog/catalog.ts'
import { sendParts } from '../../../../src/server/http/answer/send-parts.ts'
import { EVERY_DEVICE } from '../../../../src/shared/releases/targets.ts'
import { item } from '../../../support/builders/devices.ts'
import { artifact } from '../../../support/builders/releases.ts'
import { check, publish, RELEASES } from '../../../support/servers/calls.ts'
import { plan } from '../../../support/servers/fleet-calls.ts'
import { listenLocally } from '../../../support/servers/listen.ts'
import { startWithApp, type TestServer } from '../../../support/servers/server.ts'

const MIB = 1024 * 1024
/** As long as notes can be. */
const NOTES = '# Grüße 🚀 "1"\n'.repeat(3_449)

/** Stores a release as an older version would have published it: with notes of a mebibyte. */
async function publishAsBefore({ catalog }: TestServer, version: string, notes: string) {
  const { app, record } = requireChannel(requireApp(catalog.snapshot, 'editor'), 'stable')
  await catalog.change((tx) =>
    tx.insertRelease({
      id: catalog.newId(),
      appKey: app.key,
      channelKey: record.key,
      version,
      notes,
      status: 'published',
      awaitsProof: false,
      rolloutPct: 100,
      targets: EVERY_DEVICE,
      createdAt: catalog.timestamp(),
      artifacts: [{ ...artifact(), kind: '', size: 0, signature: '' }],
    }),
  )
}

/** A call whose answer nobody reads beyond its first bytes. */
async function unread(address: string, head: string, body = ''): Promise<Socket> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  socket.write(`${head}\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
  await once(socket, 'readable')
  return socket
}

test('notes that an older version took are served and listed everywhere', async () => {
  const server = await startWithApp()
  const notes = `${'n'.repeat(MIB - 20)} "é" 🚀`
  await publishAsBefore(server, '1.0.0', notes)
  const shown = [
    (await check(server, '0.9.0')).body,
    (await plan(server, [item('one', { version: '0.9.0' })])).body.decisions[0].update,
    (await server.call('GET', RELEASES)).body.releases[0],
    (await server.call('GET', '/feed/editor/stable', { key: null })).body.releases[0],
  ]
  for (const release of shown) expect(release).toMatchObject({ version: '1.0.0', notes })
})

test('a wave with long notes is the manifests of the checks, in one answer of known length', async () => {
  const server = await startWithApp()
  await publish(server, '2.0.0', { notes: NOTES })
  const devices = Array.from({ length: 40 }, (_, index) => item(`device-${index}`))
  const { status, headers, body, text } = await plan(server, devices)
  expect(status).toBe(200)
  expect(headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
  const update = (await check(server, '1.0.0')).body
  expect(update.notes).toBe(NOTES)
  expect(body).toEqual({
    app: 'editor',
    channel: 'stable',
    decisions: devices.map(({ deviceId }) => ({ deviceId, update, reason: 'update' })),
    updatesOffered: 40,
  })
})

test('unread wave responses take no memory for their unsent parts', async () => {
  const server = await startWithApp()
  await publish(server, '2.0.0', { notes: NOTES })
  const devices = Array.from({ length: 500 }, (_, index) => item(`device-${index}`))
  const body = JSON.stringify({ app: 'editor', dryRun: true, devices })
  const head = `POST /api/v1/fleet/decisions HTTP/1.1\r\nAuthorization: Bearer ${server.key}`
  const first = await unread(server.address, head, body)
  expect(Number(/Content-Length: (\d+)/.exec(String(first.read()))?.[1])).toBeGreaterThan(25 * MIB)
  const before = process.memoryUsage().arrayBuffers
  await Promise.all(Array.from({ length: 10 }, () => unread(server.address, head, body)))
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50 * MIB)
})

test('unread feed responses share their memory', async () => {
  const server = await startWithApp()
  for (let patch = 0; patch < 40; patch++) await publishAsBefore(server, `1.0.${patch}`, NOTES)
  const head = 'GET /feed/editor/stable HTTP/1.1'
  const first = await unread(server.address, head)
  expect(Number(/Content-Length: (\d+)/.exec(String(first.read()))?.[1])).toBeGreaterThan(2.5 * MIB)
  const before = process.memoryUsage().arrayBuffers
  await Promise.all(Array.from({ length: 40 }, () => unread(server.address, head)))
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(40 * MIB)
})

test('a HEAD of an answer with long notes has the length of the answer, and no body', async () => {
  const server = await startWithApp()
  await publish(server, '2.0.0', { notes: NOTES })
  for (const path of ['/u/editor/stable/darwin/aarch64/1.0.0', '/feed/editor/stable']) {
    const headers = { 'Accept-Encoding': 'identity' }
    const whole = await fetch(server.address + path, { headers })
    const head = await fetch(server.address + path, { method: 'HEAD', headers })
    expect(head.status).toBe(200)
    const length = String((await whole.arrayBuffer()).byteLength)
    for (const answer of [whole, head]) expect(answer.headers.get('content-length')).toBe(length)
    expect(await head.text()).toBe('')
  }
})

test('a caller that stops reading a long answer is disconnected', async () => {
  let sent: Promise<void> = Promise.resolve()
  const app = express().get('/', (_request, response) => {
    const part = Buffer.alloc(64 * 1024, 'x')
    sent = sendParts(response, Array(500).fill(part), 20)
  })
  const host = await listenLocally(createServer(app))
  const socket = await unread(`http://${host}`, 'GET / HTTP/1.1')
  await sent
  socket.on('error', () => {}).resume()
  await once(socket, 'close')
  expect(socket.bytesRead).toBeLessThan(500 * 64 * 1024)
})
