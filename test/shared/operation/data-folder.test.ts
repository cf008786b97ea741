import { expect, test } from 'vitest'
import { locateDataFolder } from '../../../src/shared/operation/data-folder.ts'

const LINUX = { platform: 'linux', env: {}, home: '/home/ada' }
const MAC = { platform: 'darwin', env: {}, home: '/Users/ada' }
const WINDOWS = {
  platform: 'win32',
  env: { LOCALAPPDATA: 'C:\\Users\\ada\\Local', APPDATA: 'C:\\Users\\ada\\Roaming' },
  home: 'C:\\Users\\ada',
}
const USUAL = {
  linux: '/home/ada/.local/share/tidegate',
  darwin: '/Users/ada/Library/Application Support/tidegate',
  win32: 'C:\\Users\\ada\\Local\\tidegate\\Data',
}
const OF_THE_APP = {
  linux: '/home/ada/.config/Tidegate/data',
  darwin: '/Users/ada/Library/Application Support/Tidegate/data',
  win32: 'C:\\Users\\ada\\Roaming\\Tidegate\\data',
}

/** A file system with these databases; names of one inode are one file. */
const withDatabases = (...folders: readonly (readonly [folder: string, inode: number])[]) => ({
  stat(file: string) {
    const found = folders.find(([folder]) => file === `${folder}${separator(folder)}tidegate.db`)
    if (found === undefined) throw Object.assign(new Error(file), { code: 'ENOENT' })
    return { dev: 1n, ino: BigInt(found[1]) }
  },
})
const separator = (folder: string) => (folder.includes('\\') ? '\\' : '/')

test.each([LINUX, MAC, WINDOWS])('one default folder on $platform', (here) => {
  const usual = USUAL[here.platform as keyof typeof USUAL]
  expect(locateDataFolder({ ...here, ...withDatabases() })).toEqual({ folder: usual, others: [] })
})

test.each([LINUX, MAC, WINDOWS])('an earlier folder of the app is found on $platform', (here) => {
  const [usual, earlier] = [USUAL, OF_THE_APP].map(
    (folders) => folders[here.platform as keyof typeof USUAL],
  )
  const only = locateDataFolder({ ...here, ...withDatabases([earlier ?? '', 1]) })
  expect(only).toEqual({ folder: earlier, others: [] })
  const both = withDatabases([usual ?? '', 1], [earlier ?? '', 2])
  expect(locateDataFolder({ ...here, ...both })).toEqual({ folder: usual, others: [earlier] })
})

test('two names of one file are one database', () => {
  const lower = '/Users/ada/Library/Application Support/tidegate/data'
  const one = withDatabases([OF_THE_APP.darwin, 7], [lower, 7])
  expect(locateDataFolder({ ...MAC, ...one })).toEqual({ folder: OF_THE_APP.darwin, others: [] })
})

test('a folder that may not be looked at counts as one with a database', () => {
  const stat = (file: string) => {
    const code = file.startsWith(OF_THE_APP.linux) ? 'EACCES' : 'ENOENT'
    throw Object.assign(new Error(file), { code })
  }
  expect(locateDataFolder({ ...LINUX, stat })).toEqual({ folder: OF_THE_APP.linux, others: [] })
})

test('a variable that names the folder ends the search', () => {
  const databases = withDatabases([USUAL.linux, 1], [OF_THE_APP.linux, 2])
  const located = (env: Record<string, string>) => locateDataFolder({ ...LINUX, env, ...databases })
  expect(located({ TIDEGATE_USER_DATA: '/u' })).toEqual({ folder: '/u/data', others: [] })
  const named = { TIDEGATE_DATA: '/d', TIDEGATE_USER_DATA: '/u' }
  expect(located(named)).toEqual({ folder: '/d', others: [] })
  expect(located({ TIDEGATE_DATA: '' }).others).toHaveLength(1)
  expect(located({ XDG_DATA_HOME: '/x' }).folder).toBe(OF_THE_APP.linux)
})
