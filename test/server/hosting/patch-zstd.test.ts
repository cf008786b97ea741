import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { HEADER } from '../../../src/server/hosting/patches/patch-frame.ts'
import { temporaryFolder } from '../../support/builders/folders.ts'
import { noise } from '../../support/builders/noise.ts'
import { changed, patched, patchOf } from '../../support/builders/patches.ts'
import { needs } from '../../support/tools.ts'

const MIB = 1_024 ** 2

test('zstd applies a patch, and its own are applied here', needs('zstd'), () => {
  const folder = temporaryFolder()
  const file = (name: string) => join(folder, name)
  const base = noise(9 * MIB, 'base')
  const next = changed(base, 3 * MIB, noise(100_000, 'new'))
  for (const [name, content] of Object.entries({ base, next, ours: patchOf(base, next) })) {
    writeFileSync(file(name), content)
  }
  const zstd = (...args: string[]) => execFileSync('zstd', ['-q', ...args])
  zstd('-d', `--patch-from=${file('base')}`, '--memory=128MB', file('ours'), '-o', file('out'))
  expect(readFileSync(file('out')).equals(next)).toBe(true)
  zstd(`--patch-from=${file('base')}`, file('next'), '-o', file('theirs'))
  const theirs = Buffer.concat([Buffer.alloc(HEADER), readFileSync(file('theirs'))])
  expect(patched(base, theirs).equals(next)).toBe(true)
})
