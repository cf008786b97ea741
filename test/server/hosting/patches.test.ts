import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import type { StoredFile } from '../../../src/server/hosting/file-index.ts'
import { HEADER } from '../../../src/server/hosting/patches/patch-frame.ts'
import { temporaryFolder } from '../../support/builders/folders.ts'
import { noise } from '../../support/builders/noise.ts'
import { changed, patched, patchOf } from '../../support/builders/patches.ts'
import { eventually } from '../../support/eventually.ts'
import { builtFile } from '../../support/servers/hosting.ts'
import { nameOf, openPatches, SHA256, writing } from '../../support/servers/patches.ts'
import { needs } from '../../support/tools.ts'

test('what is wanted is made once, found by the hash of its base, and deleted when it is not', async () => {
  const asked: string[] = []
  const { patches, store, want, round, made } = await openPatches({ make: writing(100, asked) })
  const [one, two, three] = [await store(), await store(), await store()]
  want([one, two])
  await round()
  await round()
  expect(asked).toHaveLength(1)
  expect(made()).toEqual([nameOf(one, two)])
  expect(patches.find(two, SHA256)?.size).toBe(100)
  expect(patches.find(two, 'b'.repeat(64))).toBeUndefined()
  expect(patches.find(three, SHA256)).toBeUndefined()
  expect([patches.hasFor(two), patches.hasFor(one)]).toEqual([true, false])
  want([two, three])
  await round()
  expect(made()).toEqual([nameOf(two, three)])
  expect(patches.find(two, SHA256)).toBeUndefined()
})

test('what another node makes meanwhile is not made again', async () => {
  const asked: string[] = []
  const { patches, store, want, round, folder } = await openPatches({
    make: async (task, signal) => {
      writeFileSync(join(folder, 'patches', nameOf(a, c)), 'by another')
      return await writing(100, asked)(task, signal)
    },
  })
  const [a, b, c] = [await store(), await store(), await store()]
  want([a, b], [a, c])
  await round()
  expect(asked).toHaveLength(1)
  expect([patches.find(b, SHA256)?.size, patches.find(c, SHA256)?.size]).toEqual([100, 10])
})

test('what is wanted from now on is made before what was wanted first', async () => {
  const asked: string[] = []
  const { patches, store, want, made } = await openPatches({
    make: async (task, signal) => {
      if (asked.length === 0) want([a, d], [a, b], [a, c])
      return await writing(100, asked)(task, signal)
    },
  })
  const [a, b, c, d] = [await store(), await store(), await store(), await store()]
  want([a, b], [a, c])
  patches.job.start()
  await eventually(() => expect(asked).toHaveLength(3))
  const ids = asked.map((path) => basename(path).slice(0, 32))
  expect(ids).toEqual([b, d, c].map(({ sha512 }) => sha512.slice(0, 32)))
  await eventually(() => expect(made()).toHaveLength(3))
})

test('why one could not be made is said, and it is tried again after a while', async () => {
  let failure: string | null = 'disk full'
  const { patches, store, want, made, later, failures } = await openPatches({
    make: async (task, signal) =>
      failure === null ? await writing(100)(task, signal) : { failure, refused: [] },
  })
  want([await store(), await store()])
  patches.job.start()
  await eventually(() => expect(String(failures[0])).toContain('no patch of Editor.exe: disk full'))
  failure = null
  later(60 * 60_000)
  await eventually(() => expect(made()).toHaveLength(1))
  expect(failures).toHaveLength(1)
})

test('what is being made ends with the server', async () => {
  const begun = Promise.withResolvers<void>()
  const { patches, store, want, stop, failures } = await openPatches({
    make: (_task, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
        begun.resolve()
      }),
  })
  want([await store(), await store()])
  patches.job.start()
  await begun.promise
  await stop()
  expect(failures).toEqual([])
})

test('a file that is not as it was stored has no patch', async () => {
  const { patches, stored, store, want, round, made, failures } = await openPatches({
    make: (await import('../../../src/server/hosting/making/making-queue.ts')).makeOnThread,
    maxBytes: 1_000_000,
  })
  const [base, next] = [await store(), await store()]
  writeFileSync(stored.pathOf(base), builtFile(1_000).content)
  want([base, next])
  await round()
  expect(String(failures[0])).toContain('the file has another content')
  expect([made(), patches.bytes]).toEqual([[], 0])
})

test('patches never take more than their space: those that are worth the least go', async () => {
  const asked: string[] = []
  const options = { make: writing(400, asked), maxBytes: 1_000 }
  const { patches, store, want, round, made } = await openPatches(options)
  const files = [await store(), await store(), await store(), await store(), await store()]
  const [a, b, c, d, e] = files as [StoredFile, StoredFile, StoredFile, StoredFile, StoredFile]
  want([a, e], [b, e], [c, e])
  await round()
  expect(made()).toEqual([nameOf(a, e), nameOf(b, e)].sort())
  want([d, e], [a, e], [b, e], [c, e])
  await round()
  expect(made()).toEqual([nameOf(d, e), nameOf(a, e)].sort())
  expect(patches.bytes).toBe(800)
  // What does not fit is not made again and again.
  await round()
  expect(asked).toHaveLength(4)
})

test('with less space than before, those that are worth the least go', async () => {
  const { store, want, round, restart, made } = await openPatches({ make: writing(400) })
  const [a, b, c] = [await store(), await store(), await store()]
  want([a, c], [b, c])
  await round()
  expect(made()).toHaveLength(2)
  await restart(500)
  expect(made()).toEqual([nameOf(a, c)])
})

test('without space there are no patches', async () => {
  const { store, want, round, folder } = await openPatches({ maxBytes: 0 })
  want([await store(), await store()])
  await round()
  expect(readdirSync(folder)).not.toContain('patches')
})

test('a patch that is not worthwhile is not offered, nor made again', async () => {
  const asked: string[] = []
  const { patches, store, want, round, made } = await openPatches({ make: writing(0, asked) })
  const [base, next] = [await store(), await store()]
  want([base, next])
  await round()
  await round()
  expect(asked).toHaveLength(1)
  expect(made()).toHaveLength(1)
  expect([patches.hasFor(next), patches.find(next, SHA256)]).toEqual([false, undefined])
})

test('nothing is made without room on the disk, or of files too large or too different in size', async () => {
  const full = await openPatches({ hasRoom: false })
  full.want([await full.store(), await full.store()])
  await full.round()
  expect(String(full.failures[0])).toContain('there is not enough disk space')
  const asked: string[] = []
  const { store, want, round } = await openPatches({ make: writing(100, asked) })
  const [base, next] = [await store(), await store()]
  const large = { ...next, size: 128 * 1_024 ** 2 + 1 }
  want([base, large], [large, base], [base, { ...next, size: 9 * 1_024 ** 2 }], [base, base])
  await round()
  expect(asked).toEqual([])
})

test('what a crash has left is deleted', async () => {
  const { store, want, round, made, folder } = await openPatches()
  const [base, next] = [await store(), await store()]
  want([base, next])
  await round()
  const left = join(folder, 'patches', `${nameOf(base, next)}.half`)
  writeFileSync(left, 'half')
  await round()
  expect(made()).toHaveLength(2)
  utimesSync(left, 0, 0)
  await round()
  expect(made()).toEqual([nameOf(base, next)])
})

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
