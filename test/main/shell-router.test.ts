import { expect, test } from 'vitest'
import { Broadcast } from '../../src/main/broadcast.ts'
import type { Address } from '../../src/main/preferences.ts'
import { type ShellContext, shellProcedures } from '../../src/main/shell-router.ts'
import { webLink } from '../../src/main/web-link.ts'
import type { SubscriptionEvent } from '../../src/shared/console/bridge.ts'
import { answerCall, follow } from '../../src/shared/console/procedures.ts'
import type { MenuCommand, Preferences, ServerState } from '../../src/shared/console/shell.ts'

function shell() {
  const addresses: Address[] = []
  let preferences: Preferences = { startAtLogin: false, closeToTray: true, theme: 'system' }
  const context: ShellContext = {
    states: new Broadcast<ServerState>(),
    commands: new Broadcast<MenuCommand>(),
    serverState: () => ({ state: 'starting' }),
    retryServer() {},
    openLink: async (address) => webLink(address) !== undefined,
    saveFile: async () => ({ outcome: 'cancelled' }),
    preferences: () => preferences,
    setPreferences(change) {
      preferences = { ...preferences, ...change }
      return preferences
    },
    setAddress: (address) => addresses.push(address),
    about() {
      throw new Error('about fails')
    },
  }
  const failures: unknown[] = []
  const procedures = shellProcedures(context, (error) => failures.push(error))
  const call = (type: 'query' | 'mutation', path: string, input?: unknown) =>
    answerCall(procedures, { type, path, input })
  return { context, procedures, call, addresses, failures }
}

test('preferences are changed one by one', async () => {
  const { call } = shell()
  const preferences = { startAtLogin: false, closeToTray: true, theme: 'dark' }
  expect(await call('mutation', 'shell.setPreferences', { theme: 'dark' })).toEqual({
    ok: true,
    data: preferences,
  })
  expect(await call('query', 'shell.preferences')).toEqual({ ok: true, data: preferences })
})

test('the address is told to the app', async () => {
  const { call, addresses } = shell()
  const address = { host: '0.0.0.0', port: 9_000 }
  expect(await call('mutation', 'shell.setAddress', address)).toMatchObject({ ok: true })
  expect(addresses).toEqual([address])
})

test.each([
  ['shell.setPreferences', { theme: 'pink' }, 'invalid', /^theme: must be one of/],
  ['shell.setPreferences', { volume: 11 }, 'invalid', /^volume: is not a known member$/],
  ['shell.setAddress', { host: '0.0.0.0' }, 'invalid', /^port: is required$/],
  ['shell.setAddress', { host: '', port: 1 }, 'invalid', /^host: is required$/],
  ['shell.saveFile', { suggestedName: '../a.csv', text: '' }, 'invalid', /^suggestedName: must be/],
  ['shell.openExternal', undefined, 'invalid', /^body: is required$/],
  ['shell.quit', undefined, 'unknown', /shell\.quit/],
  ['shell.preferences', undefined, 'unknown', /shell\.preferences/],
])('%s of %j is refused as a value', async (path, input, code, message) => {
  const { call, failures } = shell()
  expect(await call('mutation', path, input)).toEqual({
    ok: false,
    error: { code, message: expect.stringMatching(message) },
  })
  expect(failures).toEqual([])
})

test('what fails in the app is told to its log alone', async () => {
  const { call, failures } = shell()
  const result = await call('query', 'shell.about')
  expect(result).toMatchObject({ ok: false, error: { code: 'internal' } })
  expect(JSON.stringify(result)).not.toContain('about fails')
  expect(failures).toHaveLength(1)
})

test('the state of the server is followed from what it is now, until the page has enough', async () => {
  const { context, procedures } = shell()
  const controller = new AbortController()
  const events: SubscriptionEvent[] = []
  const request = { path: 'shell.serverState', input: undefined }
  await follow(procedures, request, controller.signal, (event) => {
    events.push(event)
    if (events.length === 1) context.states.send({ state: 'stopped' })
    else controller.abort()
  })
  expect(events).toEqual([
    { type: 'data', data: { state: 'starting' } },
    { type: 'data', data: { state: 'stopped' } },
  ])
})
