import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { SettingsFile } from '../../src/main/preferences.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidegate-settings-'))
  file = join(folder, 'settings.json')
})
afterEach(() => rmSync(folder, { recursive: true }))

it('has defaults where there is no file', () => {
  const settings = new SettingsFile(file)
  expect(settings.preferences).toEqual({ startAtLogin: false, closeToTray: true, theme: 'system' })
  expect(settings.address).toEqual({ host: '127.0.0.1', port: 8440 })
})

it('keeps what is set, and leaves nothing else behind', () => {
  const settings = new SettingsFile(file)
  expect(settings.setPreferences({ theme: 'dark' })).toMatchObject({ theme: 'dark' })
  settings.setAddress({ host: '0.0.0.0', port: 9000 })
  const again = new SettingsFile(file)
  expect(again.preferences).toEqual({ startAtLogin: false, closeToTray: true, theme: 'dark' })
  expect(again.address).toEqual({ host: '0.0.0.0', port: 9000 })
  expect(readdirSync(folder)).toEqual(['settings.json'])
})

it('completes a file that names a part', () => {
  writeFileSync(file, '{"address":{"port":0}}')
  expect(new SettingsFile(file).address).toEqual({ host: '127.0.0.1', port: 0 })
})

it.each(['', '{', 'null', '{"preferences":{"theme":"pink"}}', '{"address":{"port":70000}}'])(
  'falls back to the defaults and keeps %o aside',
  (text) => {
    writeFileSync(file, text)
    expect(new SettingsFile(file).preferences.theme).toBe('system')
    expect(readFileSync(`${file}.broken`, 'utf8')).toBe(text)
  },
)
