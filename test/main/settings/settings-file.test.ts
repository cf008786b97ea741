import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { SettingsFile } from '../../../src/main/settings/settings-file.ts'
import { DEFAULT_PREFERENCES } from '../../../src/shared/console/desktop/shell.ts'
import { DEFAULT_SETTINGS } from '../../../src/shared/console/settings/settings.ts'

/** A desktop on Linux may have no tray to close the window to. */
const defaults = { ...DEFAULT_PREFERENCES, closeToTray: process.platform !== 'linux' }

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidegate-settings-'))
  file = join(folder, 'settings.json')
})
afterEach(() => rmSync(folder, { recursive: true }))

it('has defaults if there is no file', () => {
  const settings = new SettingsFile(file)
  expect(settings.preferences).toEqual(defaults)
  expect(settings.server).toEqual(DEFAULT_SETTINGS)
})

it('saves settings and leaves no other files', () => {
  const settings = new SettingsFile(file)
  expect(settings.setPreferences({ theme: 'dark' })).toMatchObject({ theme: 'dark' })
  const address = { host: '0.0.0.0', port: 9000 }
  expect(settings.setServer({ address })).toBe(true)
  expect(settings.setServer({ address })).toBe(false)
  const again = new SettingsFile(file)
  expect(again.preferences).toEqual({ ...defaults, theme: 'dark' })
  expect(again.server).toEqual({ ...DEFAULT_SETTINGS, address })
  expect(readdirSync(folder)).toEqual(['settings.json'])
})

it('completes a file that names a part', () => {
  writeFileSync(file, '{"address":{"port":0},"data":{"backups":{"keep":3}}}')
  const { address, data } = new SettingsFile(file).server
  expect(address).toEqual({ host: '127.0.0.1', port: 0 })
  expect(data.backups).toEqual({ ...DEFAULT_SETTINGS.data.backups, keep: 3 })
})

it.each(['', '{', 'null', '{"preferences":{"theme":"pink"}}', '{"address":{"port":70000}}'])(
  'falls back to the defaults and keeps %o aside',
  (text) => {
    writeFileSync(file, text)
    const settings = new SettingsFile(file)
    expect(settings.preferences.theme).toBe('system')
    expect(settings.brokenFile).toBe(`${file}.broken`)
    expect(readFileSync(`${file}.broken`, 'utf8')).toBe(text)
    expect(new SettingsFile(file).brokenFile).toBeUndefined()
  },
)

it('rejects an unreadable file with the fix, and leaves it unchanged', () => {
  mkdirSync(file)
  expect(() => new SettingsFile(file)).toThrow(
    expect.objectContaining({
      code: 'settings_unreadable',
      path: file,
      detail: expect.stringContaining('EISDIR'),
    }),
  )
  expect(readdirSync(folder)).toEqual(['settings.json'])
})

it.skipIf(process.platform === 'win32')('keeps the file from other accounts', () => {
  const modeOf = () => statSync(file).mode & 0o777
  const umask = process.umask(0)
  onTestFinished(() => void process.umask(umask))
  new SettingsFile(file).setPreferences({ theme: 'dark' })
  expect(modeOf()).toBe(0o600)
  chmodSync(file, 0o644)
  new SettingsFile(file)
  expect(modeOf()).toBe(0o600)
})

const address = { host: '127.0.0.1', port: 9_000 }
const inUse = { code: 'port_in_use', ...address } as const

it('goes back to the settings that worked last, once, and keeps the others', () => {
  const settings = new SettingsFile(file)
  settings.markWorking(settings.server)
  settings.setServer({ address })
  expect(settings.fallBack(inUse)).toBe(true)
  expect(settings.fallBack(inUse)).toBe(false)
  for (const known of [settings, new SettingsFile(file)]) {
    expect(known.server).toEqual(DEFAULT_SETTINGS)
    expect(known.notApplied).toEqual({
      sections: ['address'],
      settings: { ...DEFAULT_SETTINGS, address },
      failure: inUse,
      at: expect.any(String),
    })
  }
})

it('goes back after the app was quit before the server was ready', () => {
  const settings = new SettingsFile(file)
  settings.markWorking(settings.server)
  settings.setServer({ address })
  const again = new SettingsFile(file)
  expect(again.server.address).toEqual(address)
  expect(again.fallBack(inUse)).toBe(true)
  expect(again.server).toEqual(DEFAULT_SETTINGS)
})

it('goes back only if the server ran with other settings', () => {
  const settings = new SettingsFile(file)
  settings.setServer({ address })
  expect(settings.fallBack(inUse)).toBe(false)
  settings.markWorking(settings.server)
  expect(settings.fallBack(inUse)).toBe(false)
  expect(settings.server.address).toEqual(address)
  expect(settings.notApplied).toBe(null)
})

it('does not take settings for working that were saved while the server started with others', () => {
  const settings = new SettingsFile(file)
  const before = settings.server
  settings.setServer({ address })
  settings.markWorking(before)
  expect(settings.fallBack(inUse)).toBe(true)
  expect(settings.server).toEqual(before)
})

it('forgets settings that were not applied once they are saved or discarded', () => {
  const settings = new SettingsFile(file)
  const fail = () => {
    settings.markWorking(settings.server)
    settings.setServer({ address })
    settings.fallBack(inUse)
  }
  fail()
  settings.setServer({ data: { ...DEFAULT_SETTINGS.data, keepCheckInDays: 3 } })
  expect(settings.notApplied).toMatchObject({ sections: ['address'], settings: { address } })
  settings.setServer({ address: { ...address, port: 9_001 } })
  expect(settings.notApplied).toBe(null)
  settings.setServer({ address: DEFAULT_SETTINGS.address })
  fail()
  settings.discardNotApplied({ section: 'data' })
  expect(settings.notApplied).not.toBe(null)
  settings.discardNotApplied({})
  expect(new SettingsFile(file).notApplied).toBe(null)
})
