import { expect, test } from 'vitest'
import { Connection, type Offered } from '../../../src/main/preload/connection.ts'
import type { SubscriptionEvent } from '../../../src/shared/console/bridge/bridge.ts'

const REQUEST = { type: 'query', path: 'overview.get', input: undefined } as const

/** A page whose main process offers these one after the other, and then nothing more. */
function page(...offers: Offered[]) {
  let asked = 0
  const connection = new Connection(async () => {
    asked += 1
    return offers.shift() ?? 'refused'
  })
  return { connection, asked: () => asked }
}

/** A port of the page, the process at its other end, and the way that process ends. */
function channel() {
  const { port1, port2 } = new MessageChannel()
  const next = () =>
    new Promise((resolve) => {
      port2.onmessage = ({ data }) => resolve(data)
    })
  return { port: port1, other: port2, next }
}

test('calls go over one port, and their answers come back by their numbers', async () => {
  const { port, other, next } = channel()
  const { connection, asked } = page(port)
  const first = connection.call(REQUEST)
  expect(await next()).toEqual({ type: 'call', id: 1, request: REQUEST })
  const second = connection.call(REQUEST)
  expect(await next()).toEqual({ type: 'call', id: 2, request: REQUEST })
  other.postMessage({ type: 'result', id: 2, result: { ok: true, data: 'second' } })
  other.postMessage({ type: 'result', id: 1, result: { ok: true, data: 'first' } })
  expect([await first, await second]).toEqual([
    { ok: true, data: 'first' },
    { ok: true, data: 'second' },
  ])
  expect(asked()).toBe(1)
  other.close()
})

test('pending calls end as unavailable when the port closes, and the next call requests a port', async () => {
  const [old, fresh] = [channel(), channel()]
  const { connection, asked } = page(old.port, fresh.port)
  const events: SubscriptionEvent[] = []
  connection.subscribe({ path: 'events.changes', input: undefined }, (it) => events.push(it))
  await old.next()
  old.other.postMessage({ type: 'event', id: 1, event: { type: 'data', data: 1 } })
  const call = connection.call(REQUEST)
  await old.next()
  old.other.close()
  const ended = { code: 'unavailable', reason: 'server_ended' }
  expect(await call).toEqual({ ok: false, error: ended })
  expect(events).toEqual([
    { type: 'data', data: 1 },
    { type: 'error', error: ended },
  ])
  const later = connection.call(REQUEST)
  expect(await fresh.next()).toMatchObject({ type: 'call' })
  fresh.other.postMessage({ type: 'result', id: 1, result: { ok: true, data: 'later' } })
  expect(await later).toEqual({ ok: true, data: 'later' })
  expect(asked()).toBe(2)
  fresh.other.close()
})

test('calls wait for the port as long as the main process takes', async () => {
  const offered = Promise.withResolvers<Offered>()
  const connection = new Connection(() => offered.promise)
  const call = connection.call(REQUEST)
  const { port, other, next } = channel()
  offered.resolve(port)
  await next()
  other.postMessage({ type: 'result', id: 1, result: { ok: true, data: 7 } })
  expect(await call).toEqual({ ok: true, data: 7 })
  other.close()
})

test.each([
  ['unavailable', 'unavailable'],
  ['refused', 'internal'],
] as const)(
  'a port that is %s is an error of each request, and asked for again',
  async (outcome, code) => {
    const { connection, asked } = page(outcome, outcome)
    expect(await connection.call(REQUEST)).toMatchObject({ ok: false, error: { code } })
    const event = await new Promise((resolve) => {
      connection.subscribe({ path: 'events.changes', input: undefined }, resolve)
    })
    expect(event).toMatchObject({ type: 'error', error: { code } })
    expect(asked()).toBe(2)
  },
)

test('a subscription that ends before the port opens is never sent', async () => {
  const { port, other, next } = channel()
  const { connection } = page(port)
  connection.subscribe({ path: 'events.changes', input: undefined }, () => {})()
  void connection.call(REQUEST)
  expect(await next()).toMatchObject({ type: 'call', id: 1 })
  other.close()
})

test('a request that cannot be cloned is an error, and the port stays', async () => {
  const { port, other, next } = channel()
  const { connection, asked } = page(port)
  const broken = { ...REQUEST, input: () => {} }
  expect(await connection.call(broken)).toMatchObject({ ok: false, error: { code: 'internal' } })
  const event = await new Promise((resolve) => connection.subscribe(broken, resolve))
  expect(event).toMatchObject({ type: 'error', error: { code: 'internal' } })
  void connection.call(REQUEST)
  expect(await next()).toMatchObject({ type: 'call', request: REQUEST })
  expect(asked()).toBe(1)
  other.close()
})
