import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  BlockMaps,
  MAX_MAPPED,
  MAX_WAITING,
} from '../../../src/server/hosting/block-maps/block-maps.ts'
import type { makeOnThread } from '../../../src/server/hosting/making/making-queue.ts'
import { eventually } from '../../support/eventually.ts'
import { openMaking } from '../../support/servers/patches.ts'

type Make = typeof makeOnThread

/** Block maps of stored files, without a server. */
async function open({
  make,
  ...options
}: {
  readonly make?: Make
  readonly patience?: number
} = {}) {
  const { folder, stored, failures, store, later, ending, parts } = await openMaking(make)
  const maps = new BlockMaps({
    ...{ ...parts, folder: join(folder, 'blockmaps'), patience: 60_000 },
    onRefused: (name) => failures.push(name),
    ...options,
  })
  const stop = ending(maps)
  const made = () => readdirSync(join(folder, 'blockmaps'))
  return { maps, stop, stored, store, failures, later, made, folder }
}

/** Makes block maps when the test says so. */
function held() {
  const waiting: { readonly size: number; end(failure?: string): void }[] = []
  const make: Make = async (task, signal) => {
    if (task.makes !== 'block_map') throw new Error('not a block map')
    const { size, to } = task
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<Make>>>()
    signal.addEventListener('abort', () => reject(signal.reason))
    const end = (failure: string | null = null) => {
      if (failure === null) writeFileSync(to, 'a map')
      resolve({ failure, refused: [] })
    }
    waiting.push({ size, end })
    return await promise
  }
  /** Ends the one that is being made, once there is one. */
  const next = async (failure?: string) => {
    await eventually(() => expect(waiting).not.toEqual([]))
    const first = waiting.shift()
    first?.end(failure)
    return first?.size
  }
  return { make, next, waiting }
}

test('one that is made is asked for by many and made once', async () => {
  const { make, next, waiting } = held()
  const { maps, store } = await open({ make })
  const file = await store()
  const asked = Promise.all([1, 1, 2].map((app) => maps.find(file, app)))
  await next()
  expect((await asked).map(({ state }) => state)).toEqual(['made', 'made', 'made'])
  expect((await maps.find(file, 1)).state).toBe('made')
  expect(waiting).toEqual([])
})

test('whoever does not want to wait longer is told so, and it is made all the same', async () => {
  const { make, next } = held()
  const { maps, store, made } = await open({ make, patience: 0 })
  const file = await store()
  expect(await maps.find(file, 1)).toEqual({ state: 'busy' })
  await next()
  await eventually(() => expect(made()).toEqual([file.sha512]))
  expect((await maps.find(file, 1)).state).toBe('made')
})

test('an app that has many to make holds up no other', async () => {
  const { make, next } = held()
  const { maps, store, made } = await open({ make, patience: 0 })
  const ask = async (bytes: number, app: number) => await maps.find(await store(bytes), app)
  for (let bytes = 1; bytes <= MAX_WAITING + 1; bytes += 1) await ask(bytes, 1)
  // One too many, which is not made.
  expect(await ask(500, 1)).toEqual({ state: 'busy' })
  await ask(1_000, 2)
  expect([await next(), await next()]).toEqual([1, 1_000])
  for (let bytes = 2; bytes <= MAX_WAITING + 1; bytes += 1) expect(await next()).toBe(bytes)
  await eventually(() => expect(made()).toHaveLength(MAX_WAITING + 2))
})

test('one that could not be made is tried again after a while', async () => {
  const { make, next } = held()
  const { maps, store, failures, later } = await open({ make })
  const file = await store()
  const asked = maps.find(file, 1)
  await next('disk full')
  expect(await asked).toEqual({ state: 'none' })
  expect(String(failures[0])).toContain('no block map of Editor.exe: disk full')
  expect(await maps.find(file, 1)).toEqual({ state: 'none' })
  later(10 * 60_000)
  const again = maps.find(file, 1)
  await next()
  expect((await again).state).toBe('made')
})

test('a file that is too large has none', async () => {
  const { maps, store } = await open()
  const file = { ...(await store()), size: MAX_MAPPED + 1 }
  expect(await maps.find(file, 1)).toEqual({ state: 'none' })
})

test('a file that is not as it was stored has none', async () => {
  const { maps, store, stored, failures, made } = await open()
  const file = await store()
  writeFileSync(stored.pathOf(file), 'short')
  expect(await maps.find(file, 1)).toEqual({ state: 'none' })
  expect(String(failures[0])).toContain('the file has 5 bytes instead of 1000')
  expect(made()).toEqual([])
})

test('it is deleted with its file: here, by another node, and while it is made', async () => {
  const { make, next } = held()
  const { maps, store, stored, made } = await open({ make })
  const files = [await store(), await store(), await store()] as const
  for (const file of files.slice(0, 2)) {
    const asked = maps.find(file, 1)
    await next()
    await asked
  }
  await maps.remove(files[0])
  expect(made()).toEqual([files[1].sha512])
  await stored.remove(files[1])
  const asked = maps.find(files[2], 1)
  await stored.remove(files[2])
  await next()
  expect(await asked).toEqual({ state: 'none' })
  expect(made()).toEqual([])
})

test('what is being made ends with the server', async () => {
  const { make } = held()
  const { maps, stop, store, failures } = await open({ make })
  const asked = maps.find(await store(), 1)
  await stop()
  expect(await asked).toEqual({ state: 'none' })
  expect(failures).toEqual([])
})
