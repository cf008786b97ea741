import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { replaceFile } from '../../../../src/server/storage/data-folder/replace-file.ts'
import { temporaryFolder } from '../../../support/builders/folders.ts'

/** A file beside the one that it is to replace, and a rename that is refused some times, as by a virus scanner. */
function held(times: number, code: string) {
  const folder = temporaryFolder()
  const [from, to] = [join(folder, 'new'), join(folder, 'old')]
  for (const file of [from, to]) writeFileSync(file, file)
  const tried: string[] = []
  const rename = (one: string, other: string) => {
    tried.push(one)
    if (tried.length <= times) throw Object.assign(new Error(code), { code })
    renameSync(one, other)
  }
  return { from, to, rename, tried }
}

test.each(['EPERM', 'EBUSY', 'EACCES'])(
  'on Windows a file that is held for a moment is replaced (%s)',
  (code) => {
    const { from, to, rename, tried } = held(3, code)
    replaceFile(from, to, { platform: 'win32', rename })
    expect([tried.length, readFileSync(to, 'utf8'), existsSync(from)]).toEqual([4, from, false])
  },
)

test('one that stays held is an error after a second, and both files stay', () => {
  const { from, to, rename, tried } = held(1_000, 'EPERM')
  expect(() => replaceFile(from, to, { platform: 'win32', rename })).toThrow('EPERM')
  expect([tried.length, readFileSync(to, 'utf8'), existsSync(from)]).toEqual([21, to, true])
})

test.each([
  ['linux', 'EPERM'],
  ['darwin', 'EACCES'],
  ['win32', 'ENOENT'],
] as const)('on %s, %s is an error at once', (platform, code) => {
  const { from, to, rename, tried } = held(1, code)
  expect(() => replaceFile(from, to, { platform, rename })).toThrow(code)
  expect(tried).toHaveLength(1)
})
