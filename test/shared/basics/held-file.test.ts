import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readJsonFile, writeJsonFile } from '../../../src/main/settings/json-file.ts'
import { whileHeld, whileHeldSync } from '../../../src/shared/basics/held-file.ts'
import { temporaryFolder } from '../../support/builders/folders.ts'

/** A file beside the one that it is to replace, and a rename that is refused some times, as by a virus scanner. */
function held(times: number, code: string) {
  const folder = temporaryFolder()
  const [from, to] = [join(folder, 'new'), join(folder, 'old')]
  for (const file of [from, to]) writeFileSync(file, file)
  const tried: string[] = []
  const rename = (one = from, other = to) => {
    tried.push(one)
    if (tried.length <= times) throw Object.assign(new Error(code), { code })
    renameSync(one, other)
  }
  return { from, to, rename, tried }
}

type Replace = (platform: string, rename: () => void) => Promise<void>

describe.each<[string, Replace]>([
  ['that blocks', async (platform, rename) => whileHeldSync(platform, rename)],
  ['that waits', (platform, rename) => whileHeld(platform, async () => rename())],
])('a replacement %s', (_name, replace) => {
  test.each(['EPERM', 'EBUSY', 'EACCES'])(
    'of a file that is held for a moment succeeds on Windows (%s)',
    async (code) => {
      const { from, to, rename, tried } = held(3, code)
      await replace('win32', () => rename())
      expect([tried.length, readFileSync(to, 'utf8'), existsSync(from)]).toEqual([4, from, false])
    },
  )

  test('of one that stays held is an error after a second, and both files stay', async () => {
    const { from, to, rename, tried } = held(1_000, 'EPERM')
    await expect(replace('win32', () => rename())).rejects.toThrow('EPERM')
    expect([tried.length, readFileSync(to, 'utf8'), existsSync(from)]).toEqual([21, to, true])
  })

  test.each([
    ['linux', 'EPERM'],
    ['darwin', 'EACCES'],
    ['win32', 'ENOENT'],
  ] as const)('on %s with %s is an error at once', async (platform, code) => {
    const { rename, tried } = held(1, code)
    await expect(replace(platform, () => rename())).rejects.toThrow(code)
    expect(tried).toHaveLength(1)
  })
})

test('settings of the app that another program reads for a moment are kept all the same', () => {
  const file = join(temporaryFolder(), 'settings.json')
  const { rename } = held(3, 'EPERM')
  writeJsonFile(file, { theme: 'light' })
  writeJsonFile(file, { theme: 'dark' }, { platform: 'win32', rename })
  expect(readJsonFile(file, z.object({ theme: z.string() }))).toEqual({ theme: 'dark' })
})
