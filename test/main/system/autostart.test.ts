import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { setAutostart } from '../../../src/main/system/autostart.ts'

let configFolder: string
beforeEach(() => {
  configFolder = mkdtempSync(join(tmpdir(), 'tidegate-autostart-'))
})
afterEach(() => rmSync(configFolder, { recursive: true }))

test('an entry starts the program at login, until it is removed', () => {
  const file = join(configFolder, 'autostart', 'tidegate.desktop')
  const entry = { configFolder, program: '/opt/Tide gate/100%/a"b', args: ['--hidden'] }
  setAutostart(entry, true)
  const line = 'Exec="/opt/Tide gate/100%%/a\\\\"b" "--hidden"'
  expect(readFileSync(file, 'utf8').split('\n')).toContain(line)
  setAutostart(entry, false)
  expect(existsSync(file)).toBe(false)
  setAutostart(entry, false)
})
