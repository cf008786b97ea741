import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Broadcast } from '../../../src/main/ipc/broadcast.ts'
import { type ShellContext, shellProcedures } from '../../../src/main/ipc/shell-router.ts'
import { webLink } from '../../../src/main/page/addresses.ts'
import { ConsoleError } from '../../../src/renderer/bridge/error.ts'
import type { SubscriptionEvent } from '../../../src/shared/console/bridge/bridge.ts'
import { answerCall, follow } from '../../../src/shared/console/bridge/procedures.ts'
import {
  DEFAULT_PREFERENCES,
  type MenuCommand,
  type Preferences,
} from '../../../src/shared/console/desktop/shell.ts'
import {
  DEFAULT_SETTINGS,
  type SettingsChange,
} from '../../../src/shared/console/settings/settings.ts'
import { temporaryFolder } from '../../support/builders/folders.ts'
import { testServers } from '../../support/servers/test-servers.ts'

function shell() {
  const saved: SettingsChange[] = []
  let preferences: Preferences = DEFAULT_PREFERENCES
  const { servers } = testServers({ file: join(temporaryFolder(), 'servers.json') })
  const context: ShellContext = {
    servers,
    commands: new Broadcast<MenuCommand>(),
    openLink: async (address) => webLink(address) !== undefined,
    saveFile: async () => ({ outcome: 'cancelled' }),
    preferences: () => preferences,
    setPreferences(change) {
      preferences = { ...preferences, ...change }
      return preferences
    },
    settings: {
      view: async () => ({
        settings: DEFAULT_SETTINGS,
        notApplied: null,
        tls: null,
        usualBackupFolder: '/backups',
        usualFilesFolder: '/artifacts',
      }),
      async save(change) {
        saved.push(change)
        return { ok: true, restarts: true }
      },
      discardNotApplied() {},
      checkTls: async () => ({ ok: false, field: 'keyFile', issue: { code: 'not_a_file' } }),
    },
    chooseFile: async (kind) => (kind === 'backup' ? '/backup.db' : null),
    chooseFolder: async () => null,
    backups: {
      inspect: async (file) => ({ ok: false, problem: { code: 'corrupt', file, detail: null } }),
      restore: async () => ({
        ok: true,
        aside: null,
        offered: 0,
        lacking: { count: 0, newest: [] },
        carriedOver: { rolledBack: 0, servingKept: 0, keysRevoked: 0 },
        access: { people: [], keys: [] },
        lost: { count: 0, newest: [] },
      }),
    },
    versionState: () => ({ state: 'off' }),
    about() {
      throw new Error('about fails')
    },
  }
  const failures: unknown[] = []
  const procedures = shellProcedures(context, (error) => failures.push(error))
  const call = (type: 'query' | 'mutation', path: string, input?: unknown) =>
    answerCall(procedures, { type, path, input })
  return { context, procedures, call, saved, failures }
}

test('preferences are changed one by one', async () => {
  const { call } = shell()
  const preferences = { ...DEFAULT_PREFERENCES, theme: 'dark' }
  expect(await call('mutation', 'shell.setPreferences', { theme: 'dark' })).toEqual({
    ok: true,
    data: preferences,
  })
  expect(await call('query', 'shell.preferences')).toEqual({ ok: true, data: preferences })
})

test('only the changed section of the settings is sent to the app', async () => {
  const { call, saved } = shell()
  const address = { host: '0.0.0.0', port: 9_000 }
  expect(await call('mutation', 'shell.saveSettings', { address })).toMatchObject({ ok: true })
  expect(saved).toEqual([{ address }])
})

test('a choice, or none, is a value', async () => {
  const { call } = shell()
  expect(await call('mutation', 'shell.chooseFile', { kind: 'backup' })).toEqual({
    ok: true,
    data: { path: '/backup.db' },
  })
  expect(await call('mutation', 'shell.chooseFolder', { kind: 'files' })).toEqual({
    ok: true,
    data: { path: null },
  })
})

test.each([
  ['shell.setPreferences', { theme: 'pink' }, 'invalid', /^Theme: must be one of/],
  ['shell.setPreferences', { volume: 11 }, 'invalid', /^Volume: is not a known member\.$/],
  [
    'shell.saveFile',
    { suggestedName: '../a.csv', text: '' },
    'invalid',
    /^Suggested name: must be/,
  ],
  ['shell.saveFile', { suggestedName: 'a.desktop', text: '' }, 'invalid', /ends in \.csv/],
  [
    'shell.saveSettings',
    { address: { host: '0.0.0.0' } },
    'invalid',
    /^Address, port: is required\.$/,
  ],
  [
    'shell.saveSettings',
    { address: { host: '', port: 1 } },
    'invalid',
    /^Address, host: is required\.$/,
  ],
  [
    'shell.saveSettings',
    { security: { ...DEFAULT_SETTINGS.security, trustProxy: ['10.0.0.0/99'] } },
    'invalid',
    /^Security, trust proxy 1: must be an address, a range/,
  ],
  ['shell.restoreBackup', { file: '' }, 'invalid', /^File: is required\.$/],
  ['shell.openExternal', undefined, 'invalid', /^Is required\.$/],
  ['shell.quit', undefined, 'unknown', /shell\.quit/],
  ['shell.preferences', undefined, 'unknown', /shell\.preferences/],
])('%s of %j is refused as a value', async (path, input, code, message) => {
  const { call, failures } = shell()
  const result = await call('mutation', path, input)
  const shown = result.ok ? undefined : ConsoleError.of(result.error)
  expect(shown).toMatchObject({ code, message: expect.stringMatching(message) })
  expect(failures).toEqual([])
})

test("only the app's log has the cause of its failures", async () => {
  const { call, failures } = shell()
  const result = await call('query', 'shell.about')
  expect(result).toMatchObject({ ok: false, error: { code: 'internal' } })
  expect(JSON.stringify(result)).not.toContain('about fails')
  expect(failures).toHaveLength(1)
})

test('the state of the server is followed from its current value until the page unsubscribes', async () => {
  const { context, procedures } = shell()
  const controller = new AbortController()
  const events: SubscriptionEvent[] = []
  const request = { path: 'shell.serverState', input: undefined }
  await follow(procedures, request, controller.signal, (event) => {
    events.push(event)
    if (events.length === 1) context.servers.ownState({ state: 'stopped' })
    else controller.abort()
  })
  expect(events).toEqual([
    { type: 'data', data: { state: 'starting' } },
    { type: 'data', data: { state: 'stopped' } },
  ])
})

test('a follower gets the current value, then all later ones in order', async () => {
  const numbers = new Broadcast<number>()
  const follower = numbers.follow(undefined, () => 0)
  expect(await follower.next()).toEqual({ value: 0, done: false })
  numbers.send(1)
  numbers.send(2)
  expect(await follower.next()).toEqual({ value: 1, done: false })
  numbers.send(3)
  expect(await follower.next()).toEqual({ value: 2, done: false })
  expect(await follower.next()).toEqual({ value: 3, done: false })
})

test('a waiting follower ends on request', async () => {
  const numbers = new Broadcast<number>()
  const controller = new AbortController()
  const next = numbers.follow(controller.signal).next()
  controller.abort()
  expect(await next).toEqual({ value: undefined, done: true })
})

test('the last unheard value goes to the first follower, if it is kept', async () => {
  const kept = new Broadcast<number>({ keepsLast: true })
  kept.send(1)
  kept.send(2)
  const [first, second] = [kept.follow(undefined), kept.follow(undefined)]
  expect(await first.next()).toEqual({ value: 2, done: false })
  const next = second.next()
  kept.send(3)
  expect(await next).toEqual({ value: 3, done: false })

  const lost = new Broadcast<number>()
  lost.send(1)
  const late = lost.follow(undefined).next()
  lost.send(2)
  expect(await late).toEqual({ value: 2, done: false })
})

test('a value that is kept goes to the listener that comes next, and to no present one', async () => {
  const kept = new Broadcast<number>({ keepsLast: true })
  const heard: number[] = []
  kept.listen((value) => heard.push(value))
  kept.keep(1)
  expect(heard).toEqual([])
  expect(await kept.follow(undefined).next()).toEqual({ value: 1, done: false })
  kept.send(2)
  expect(heard).toEqual([2])
})
