import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { type PostTask, post } from '../../../../src/server/outbound/outbox/webhook-sender.ts'
import { listenLocally } from '../../../support/servers/listen.ts'
import { startReceiver } from '../../../support/servers/receiver.ts'

const send = async (url: string, members: Partial<PostTask> = {}) => {
  const { signal } = new AbortController()
  const task = { url, headers: {}, body: '{}', privateHosts: ['127.0.0.1'], signal, now: 0 }
  const { attempt, retryAfter } = await post({ ...task, ...members })
  return { ...attempt, retryAfter }
}

test('a private address is refused before anything is sent', async () => {
  const { url, received } = await startReceiver()
  const failure = { status: null, failure: 'private_address' }
  expect(await send(url, { privateHosts: [] })).toMatchObject(failure)
  expect(await send(url, { privateHosts: ['hooks.internal'] })).toMatchObject(failure)
  expect(await send(url.replace('127.0.0.1', '2130706433'), { privateHosts: [] })).toMatchObject(
    failure,
  )
  expect(received).toEqual([])
})

test('a name whose address is private is refused by the lookup of the connection', async () => {
  const { url, received } = await startReceiver()
  const named = url.replace('127.0.0.1', 'localhost')
  expect(await send(named, { privateHosts: [] })).toMatchObject({ failure: 'private_address' })
  expect(received).toEqual([])
  // On a computer where the name is ::1 first, the receiver is not reached there.
  expect((await send(named, { privateHosts: ['localhost'] })).failure).not.toBe('private_address')
})

test('a redirect is not followed', async () => {
  const target = await startReceiver()
  const headers = { location: target.url }
  const { url } = await startReceiver({ status: 307, headers })
  expect(await send(url)).toMatchObject({ status: 307, failure: null })
  expect(target.received).toEqual([])
})

test('of a long response the beginning is read', async () => {
  const { url } = await startReceiver({ status: 200, body: 'x'.repeat(10_000_000) })
  const { status, response } = await send(url)
  expect({ status, length: response.length }).toEqual({ status: 200, length: 500 })
})

test('a response that never ends is given up', async () => {
  const { url, answer } = await startReceiver()
  answer(undefined)
  expect(await send(url, { timeout: 50 })).toMatchObject({ status: null, failure: 'timed_out' })
})

test('failures are told apart', async () => {
  expect(await send('http://no-such-name.invalid/')).toMatchObject({ failure: 'unresolved' })
  const { url } = await startReceiver()
  const https = url.replace('http:', 'https:')
  expect(await send(https)).toMatchObject({ failure: 'certificate' })
  const rude = await listenLocally(createServer((socket) => socket.destroy()))
  expect(await send(`http://${rude}/`)).toMatchObject({ failure: 'broken_off' })
})

test('the seconds of Retry-After are read, and no other form of it', async () => {
  const { url, answer } = await startReceiver({ status: 429, headers: { 'retry-after': '30' } })
  expect((await send(url)).retryAfter).toBe(30_000)
  answer({ status: 429, headers: { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' } })
  expect((await send(url)).retryAfter).toBe(0)
})
