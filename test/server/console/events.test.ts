import { expect, onTestFinished, test } from 'vitest'
import type { ConsoleEvent } from '../../../src/shared/console/overview.ts'
import { check, publish } from '../../support/servers/calls.ts'
import { callerOf, startConsole } from '../../support/servers/console.ts'
import { holdDevices } from '../../support/servers/engine.ts'
import type { TestServer } from '../../support/servers/server.ts'

/** Follows the events until the test ends. `next` answers the next one. */
async function follow(server: TestServer, caller = callerOf(server)) {
  const events: AsyncIterator<ConsoleEvent> = (await caller.events.changes())[
    Symbol.asyncIterator
  ]()
  onTestFinished(async () => {
    await events.return?.()
  })
  return async () => {
    const { value, done } = await events.next()
    if (done === true) throw new Error('the events ended')
    return value
  }
}

test('the current number comes first, then every kind of change, numbered', async () => {
  const { server } = await startConsole()
  const next = await follow(server)
  const { sequence, changed } = await next()
  expect(changed).toEqual([])
  await publish(server, '1.0.0')
  expect(await next()).toEqual({ sequence: sequence + 1, changed: ['catalog'] })
  await check(server, '1.0.0')
  expect(await next()).toEqual({ sequence: sequence + 2, changed: ['fleet'] })
})

test('check-ins are announced once they are committed, because lists show what is committed', async () => {
  const { server } = await startConsole()
  const next = await follow(server)
  await next()
  // Nothing can be committed meanwhile.
  const release = await holdDevices(server.folder)
  await check(server, '1.0.0')
  const caller = callerOf(server)
  const listed = async () => (await caller.devices.list({ app: 'editor' })).devices.length
  expect(await listed()).toBe(0)
  await release()
  expect((await next()).changed).toEqual(['fleet'])
  expect(await listed()).toBe(1)
})

test('many changes are one event', async () => {
  const { server } = await startConsole()
  const next = await follow(server)
  const { sequence } = await next()
  const began = performance.now()
  for (let round = 0; round < 50; round++) await check(server, '1.0.0')
  const most = Math.ceil((performance.now() - began) / 250) + 1
  const last = await next()
  expect(last.changed).toEqual(['fleet'])
  expect(last.sequence - sequence).toBeLessThanOrEqual(most)
})

test('all followers see the same numbers, and a gap shows missed changes', async () => {
  const { server } = await startConsole()
  const caller = callerOf(server)
  const [one, other] = [await follow(server, caller), await follow(server, caller)]
  await one()
  await other()
  await publish(server, '1.0.0')
  const event = await one()
  expect(await other()).toEqual(event)
  const late = await follow(server, caller)
  expect(await late()).toEqual({ sequence: event.sequence, changed: [] })
})

test('a change without followers raises the number', async () => {
  const { server } = await startConsole()
  const caller = callerOf(server)
  const first = (await caller.events.changes())[Symbol.asyncIterator]()
  const before = (await first.next()).value
  await first.return?.()
  await publish(server, '1.0.0')
  const next = await follow(server, caller)
  expect(await next()).toEqual({ sequence: (before?.sequence ?? 0) + 1, changed: [] })
})

test('ends when it is cancelled', async () => {
  const { server } = await startConsole()
  const controller = new AbortController()
  const events = (await callerOf(server, controller.signal).events.changes())[
    Symbol.asyncIterator
  ]()
  await events.next()
  const waiting = events.next()
  controller.abort()
  expect(await waiting).toMatchObject({ done: true })
})
