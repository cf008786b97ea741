import { expect, test } from 'vitest'
import { SharedWork } from '../../../src/server/console/context.ts'
import { type Principal, personOfAccount } from '../../../src/server/use-cases/principal.ts'
import { PRINCIPAL } from '../../support/builders/actor.ts'
import { startBrowserConsole } from '../../support/servers/browser.ts'
import { callerOf } from '../../support/servers/console.ts'

const named = (name: string): Principal => ({ ...PRINCIPAL, person: personOfAccount(name) })

test('who asks without end keeps nobody else waiting', async () => {
  const work = new SharedWork({ total: 1 })
  const done: string[] = []
  const ask = (name: string) => work.run(named(name), async () => void done.push(name))
  const flood = Array.from({ length: 50 }, () => ask('eve'))
  await ask('ada')
  expect(done).toEqual(['eve', 'ada'])
  await Promise.all(flood)
})

test.each(['searches', 'exports'] as const)(
  '%s of a person wait for that person only',
  async (kind) => {
    const server = await startBrowserConsole()
    await server.updates.createApp(PRINCIPAL, { ref: 'editor' })
    const done: string[] = []
    const ask = async (name: string) => {
      const caller = callerOf(server, undefined, named(name))
      if (kind === 'searches') await caller.search.find({ text: '1.' })
      else for await (const _ of await caller.devices.export({ app: 'editor' }));
      done.push(name)
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    const held = server.consoleContext[kind].run(named('eve'), () => promise)
    const waiting = ask('eve')
    await ask('ada')
    expect(done).toEqual(['ada'])
    resolve()
    await Promise.all([held, waiting])
    expect(done).toEqual(['ada', 'eve'])
  },
)

test('an export that waits ends with whoever asked for it', async () => {
  const server = await startBrowserConsole()
  await server.updates.createApp(PRINCIPAL, { ref: 'editor' })
  const first = (await callerOf(server).devices.export({ app: 'editor' }))[Symbol.asyncIterator]()
  await first.next()
  const stop = new AbortController()
  const second = await callerOf(server, stop.signal).devices.export({ app: 'editor' })
  const ended = second[Symbol.asyncIterator]().next()
  stop.abort()
  expect(await ended).toMatchObject({ done: true })
  await first.return?.()
  const pieces: unknown[] = []
  for await (const piece of await callerOf(server).devices.export({ app: 'editor' })) {
    pieces.push(piece)
  }
  expect(pieces).toHaveLength(1)
})
