import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { builtFile } from '../../support/servers/hosting.ts'
import { nameOf, openPatches, SHA256, writing } from '../../support/servers/patches.ts'

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
  patches.start()
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
  patches.start()
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
  patches.start()
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
