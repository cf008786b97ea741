import { readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { StoredFile } from '../../../src/server/hosting/file-index.ts'
import { nameOf, openPatches, SHA256, writing } from '../../support/servers/patches.ts'

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
