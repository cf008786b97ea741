import { expect, test } from 'vitest'
import { type Principal, personOfAccount } from '../../../src/server/use-cases/principal.ts'
import { PRINCIPAL } from '../../support/builders/actor.ts'
import { item } from '../../support/builders/devices.ts'
import { ROOT } from '../../support/builders/people.ts'
import { call, pageHeaders, startBrowserConsole } from '../../support/servers/browser.ts'
import { publish } from '../../support/servers/calls.ts'
import { callerOf } from '../../support/servers/console.ts'
import { report } from '../../support/servers/fleet-calls.ts'
import { accept, firstAdministrator } from '../../support/servers/signed-in.ts'

/** Searches in one request, the most that there may be, and requests at the same time. */
const [BATCH, REQUESTS] = [20, 50]
const EXPORTS = 40

test('a viewer who searches without end keeps nobody else waiting', async () => {
  const server = await startBrowserConsole()
  const ada = await firstAdministrator(server)
  await server.updates.createApp(PRINCIPAL, { ref: 'editor' })
  for (let minor = 0; minor < 30; minor += 1) await publish(server, `1.${minor}.0`)
  const access = { server: 'viewer', apps: new Map() } as const
  const { token } = await server.people.invite(ROOT, { name: 'Eve', access })
  const { cookie } = await accept(server, token)
  const path = `api/${Array(BATCH).fill('search.find').join(',')}?batch=1`
  const inputs = Object.fromEntries(Array.from({ length: BATCH }, (_, n) => [n, { text: '1.' }]))
  const headers = pageHeaders(server.address, cookie)
  let answered = 0
  const flood = Array.from({ length: REQUESTS }, async () => {
    const { status } = await call(server.address, path, inputs, headers)
    answered += 1
    return status
  })
  const { data } = await ada.call('api/search.find', { text: '1.29' })
  expect(data.releases).toMatchObject([{ version: '1.29.0' }])
  // Some of them are answered before hers has arrived; without turns, nearly all.
  expect(answered).toBeLessThan(REQUESTS / 2)
  expect(new Set(await Promise.all(flood))).toEqual(new Set([200]))
})

test('a viewer who exports without end keeps nobody else waiting', async () => {
  const server = await startBrowserConsole()
  await server.updates.createApp(PRINCIPAL, { ref: 'editor' })
  for (let first = 0; first < 3_000; first += 500) {
    await report(
      server,
      Array.from({ length: 500 }, (_, n) => item(`device-${first + n}`)),
    )
  }
  const named = (name: string): Principal => ({ ...PRINCIPAL, person: personOfAccount(name) })
  let exported = 0
  const exportAs = async (name: string) => {
    const pieces = await callerOf(server, undefined, named(name)).devices.export({ app: 'editor' })
    for await (const _ of pieces);
    exported += 1
  }
  const flood = Array.from({ length: EXPORTS }, () => exportAs('eve'))
  await exportAs('ada')
  expect(exported).toBeLessThan(EXPORTS / 2)
  await Promise.all(flood)
})

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
