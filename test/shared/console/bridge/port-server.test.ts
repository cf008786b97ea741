import { expect, test } from 'vitest'
import type { SubscriptionEvent } from '../../../../src/shared/console/bridge/bridge.ts'
import { PortClient } from '../../../../src/shared/console/bridge/port-client.ts'
import { PortServer } from '../../../../src/shared/console/bridge/port-server.ts'
import type { ProcedureRun, Procedures } from '../../../../src/shared/console/bridge/procedures.ts'
import { MessageChannelMain } from '../../../electron-double/message-port.ts'

const CLOSED = { code: 'unavailable', reason: 'server_ended' } as const

/** Answers with what it was asked; a subscription says `begun` and waits for its end. */
function echo() {
  const ended: string[] = []
  const waiting = Promise.withResolvers<void>()
  const procedures: Procedures = {
    async run(run) {
      if (run.path === 'fails') throw new Error('hidden')
      if (run.path === 'waits') await waiting.promise
      return run.type === 'subscription' ? followed(run) : run.input
    },
    toError: (_, { path }) => ({ code: 'internal', reason: 'server_error', detail: path }),
  }
  async function* followed({ path, signal }: ProcedureRun) {
    yield 'begun'
    if (path === 'short') return
    await new Promise((resolve) => signal?.addEventListener('abort', resolve))
    ended.push(path)
  }
  return { procedures, ended, letGo: waiting.resolve }
}

function connected() {
  const { procedures, ended, letGo } = echo()
  const { port1, port2 } = new MessageChannelMain()
  const closed = Promise.withResolvers<void>()
  const server = new PortServer(port2, procedures, closed.resolve)
  const client = new PortClient((request) => port1.postMessage(request))
  port1.on('message', ({ data }) => client.receive(data))
  port1.on('close', () => client.close(CLOSED))
  port1.start()
  const events = (path: string) => {
    const received: SubscriptionEvent[] = []
    const begun = Promise.withResolvers<void>()
    const end = client.subscribe({ path, input: undefined }, (event) => {
      received.push(event)
      begun.resolve()
    })
    return { received, begun: begun.promise, end }
  }
  const call = (path: string, input?: unknown) => client.call({ type: 'query', path, input })
  return { port: port1, server, client, call, events, ended, letGo, closed: closed.promise }
}

test('calls are answered, and their failures are values', async () => {
  const { call, port } = connected()
  expect(await call('echo', new Date(0))).toEqual({ ok: true, data: new Date(0) })
  const error = { code: 'internal', reason: 'server_error', detail: 'fails' }
  expect(await call('fails')).toEqual({ ok: false, error })
  port.close()
})

test.each([undefined, 7, {}, { type: 'query', path: 'echo', input: 1, extra: 1 }])(
  'what is no request gets an answer that says so: %j',
  async (request) => {
    const { port } = connected()
    const answers: unknown[] = []
    const both = Promise.withResolvers<void>()
    port.on('message', ({ data }) => {
      if (answers.push(data) === 2) both.resolve()
    })
    port.postMessage({ type: 'call', id: 8, request })
    port.postMessage({ type: 'subscribe', id: 9, request })
    await both.promise
    const error = { code: 'invalid', reason: 'malformed_request' }
    expect(answers).toEqual([
      { type: 'result', id: 8, result: { ok: false, error } },
      { type: 'event', id: 9, event: { type: 'error', error } },
    ])
    port.close()
  },
)

test.each([
  undefined,
  'call',
  { type: 'call' },
  { type: 'call', id: 'x' },
  { type: 'other', id: 1 },
])('a message without a number is let go: %j', async (message) => {
  const { port, call } = connected()
  port.postMessage(message)
  expect(await call('echo', 1)).toEqual({ ok: true, data: 1 })
  port.close()
})

test('subscriptions end by themselves, on request, and with the port', async () => {
  const { events, call, ended, port, closed } = connected()
  const short = events('short')
  const told = events('told')
  const open = events('open')
  await Promise.all([short.begun, told.begun, open.begun])
  told.end()
  await call('echo')
  expect(ended).toEqual(['told'])
  expect(short.received).toEqual([{ type: 'data', data: 'begun' }, { type: 'end' }])
  expect(told.received).toEqual([{ type: 'data', data: 'begun' }])
  port.close()
  await closed
  expect(ended).toEqual(['told', 'open'])
})

test('one that stops answers pending requests, and rejects others', async () => {
  const { server, call, events, ended, letGo, port } = connected()
  const open = events('open')
  await open.begun
  const underWay = call('waits', 1)
  await call('echo')
  server.stop()
  const refused = { ok: false, error: { code: 'unavailable' } }
  expect(await call('echo')).toMatchObject(refused)
  const late = events('open')
  await late.begun
  expect(late.received).toMatchObject([{ type: 'error', error: { code: 'unavailable' } }])
  letGo()
  expect(await underWay).toEqual({ ok: true, data: 1 })
  expect(ended).toEqual(['open'])
  expect(open.received).toEqual([{ type: 'data', data: 'begun' }])
  port.close()
})

test('a page follows a bounded number of subscriptions, and may end one for another', async () => {
  const { events, port } = connected()
  const followed = Array.from({ length: 100 }, () => events('waits-for-its-end'))
  await Promise.all(followed.map(({ begun }) => begun))
  const refused = events('one-more')
  await refused.begun
  const error = { code: 'invalid', reason: 'too_many_subscriptions' }
  expect(refused.received).toEqual([{ type: 'error', error }])
  followed[0]?.end()
  const another = events('one-more')
  await another.begun
  expect(another.received).toEqual([{ type: 'data', data: 'begun' }])
  port.close()
})
