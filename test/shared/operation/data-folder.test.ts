import { expect, test } from 'vitest'
import { locateDataFolder } from '../../../src/shared/operation/data-folder.ts'

const LINUX = { platform: 'linux', env: {}, home: '/home/ada' }
const MAC = { platform: 'darwin', env: {}, home: '/Users/ada' }
const WINDOWS = {
  platform: 'win32',
  env: { LOCALAPPDATA: 'C:\\Users\\ada\\Local' },
  home: 'C:\\Users\\ada',
}

test.each([
  [LINUX, '/home/ada/.local/share/tidegate'],
  [MAC, '/Users/ada/Library/Application Support/tidegate'],
  [WINDOWS, 'C:\\Users\\ada\\Local\\tidegate\\Data'],
])('one default folder on $platform', (here, folder) => {
  expect(locateDataFolder(here)).toBe(folder)
})

test('a variable names the folder', () => {
  const located = (env: Record<string, string>) => locateDataFolder({ ...LINUX, env })
  expect(located({ TIDEGATE_USER_DATA: '/u' })).toBe('/u/data')
  expect(located({ TIDEGATE_DATA: '/d', TIDEGATE_USER_DATA: '/u' })).toBe('/d')
  expect(located({ TIDEGATE_DATA: '', XDG_DATA_HOME: '/x' })).toBe('/x/tidegate')
})
