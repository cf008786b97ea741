import { existsSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { StoredFile } from '../../../src/server/hosting/file-index.ts'
import type { FileStore } from '../../../src/server/hosting/file-store.ts'
import { openFolder, openOwn } from '../../../src/server/hosting/shared/open-shared.ts'
import { temporaryFolder } from '../../support/builders/folders.ts'
import { builtFile } from '../../support/servers/hosting.ts'
import {
  bucketPlace,
  type S3Server,
  startS3,
  stubCredentials,
} from '../../support/servers/s3-server.ts'

interface World {
  open(): Promise<FileStore>
  /** Where the content of a file is on disk. */
  fileOf(file: StoredFile): string
}

const spool = () => join(temporaryFolder(), 'upload')

async function folderWorld(): Promise<World> {
  const folder = join(temporaryFolder(), 'files')
  return {
    open: () => openFolder(folder),
    fileOf: ({ sha512 }) => join(folder, sha512),
  }
}

async function bucketWorld(): Promise<World> {
  stubCredentials()
  const s3: S3Server = await startS3()
  const folder = temporaryFolder()
  const settings = bucketPlace(s3, { prefix: 'tidegate/files/' })
  return {
    open: async () => {
      const store = await openOwn({
        ...{ bucket: settings, folder, clock: Date.now, onLost: () => {} },
        onFailure: (error) => failures.push(error),
      })
      opened.push(store)
      await store.ready()
      return store
    },
    fileOf: ({ sha512 }) => s3.fileOf(s3.keys().find((key) => key.includes(sha512)) ?? 'nothing'),
  }
}

const opened: FileStore[] = []
const failures: unknown[] = []

describe.each([
  ['a folder', folderWorld],
  ['a bucket', bucketWorld],
])('in %s', (_, createWorld) => {
  let world: World
  let store: FileStore

  beforeEach(async () => {
    world = await createWorld()
    store = await world.open()
    return async () => {
      for (const each of opened.splice(0)) await each.stop()
      expect(failures.splice(0)).toEqual([])
    }
  })

  async function add(content: Buffer, sha512: string, name = 'Editor.exe') {
    const path = spool()
    writeFileSync(path, content)
    return await store.add(path, { sha512, name, size: content.length })
  }

  test('a stored file is found by its hash and the first half of its digits, after a restart too', async () => {
    const { content, sha512 } = builtFile(100)
    const name = "Größe – it's (1) 漢字+50%.AppImage"
    const file = await add(content, sha512, name)
    expect(file).toEqual({ sha512, name, size: 100, storedAt: expect.any(Number) })
    for (const known of [store, await world.open()]) {
      expect(known.find(sha512)).toMatchObject({ sha512, name, size: 100 })
      expect(known.find(sha512.slice(0, 32))?.sha512).toBe(sha512)
      expect(known.find(sha512.slice(0, 31))).toBeUndefined()
      expect(
        known.find(sha512.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))),
      ).toBeUndefined()
      expect([known.list().length, known.bytes]).toEqual([1, 100])
    }
  })

  test('of two files with the same content the first stays', async () => {
    const { content, sha512 } = builtFile(100)
    const [first, second] = await Promise.all([
      add(content, sha512, 'first.exe'),
      add(content, sha512, 'second.exe'),
    ])
    expect([first.name, second.name]).toEqual(['first.exe', 'first.exe'])
    expect(store.bytes).toBe(100)
    expect((await world.open()).list().map(({ name }) => name)).toEqual(['first.exe'])
  })

  test('a file that was deleted is gone, after a restart too', async () => {
    const { content, sha512 } = builtFile(100)
    const file = await add(content, sha512)
    const another = builtFile(7)
    const other = await add(another.content, another.sha512)
    expect(await store.remove(file)).toBe(true)
    await store.deleteRemoved()
    for (const known of [store, await world.open()]) {
      expect(known.find(sha512)).toBeUndefined()
      expect(known.list().map((each) => each.sha512)).toEqual([other.sha512])
      expect(known.bytes).toBe(7)
    }
    expect(await store.remove(file)).toBe(false)
    expect((await add(content, sha512)).sha512).toBe(sha512)
  })

  test('a file that was asked for since it was found is not taken away', async () => {
    const { content, sha512 } = builtFile(100)
    const found = await add(content, sha512)
    await store.keepIfIntact(sha512)
    expect(await store.remove(found)).toBe(false)
    await store.deleteRemoved()
    expect(await store.keepIfIntact(sha512)).toMatchObject({ sha512 })
  })

  test('a file that is stored again while it is taken away stays', async () => {
    const { content, sha512 } = builtFile(100)
    const file = await add(content, sha512)
    await store.remove(file)
    await Promise.all([store.deleteRemoved(), add(content, sha512)])
    expect(existsSync(world.fileOf(file))).toBe(true)
    await store.remove(store.find(sha512) ?? file)
    await add(content, sha512)
    await store.deleteRemoved()
    expect(existsSync(world.fileOf(file))).toBe(true)
    expect((await world.open()).find(sha512)).toMatchObject({ size: 100 })
  })

  test('a file that is asked for counts as stored now, after a restart too', async () => {
    const { content, sha512 } = builtFile(100)
    const { storedAt } = await add(content, sha512)
    // At least a millisecond later.
    await expect.poll(() => Date.now()).toBeGreaterThan(Math.ceil(storedAt))
    const kept = await store.keepIfIntact(sha512)
    expect(kept?.storedAt).toBeGreaterThan(storedAt)
    const again = (await world.open()).find(sha512)
    expect(Math.floor(again?.storedAt ?? 0)).toBe(Math.floor(kept?.storedAt ?? 0))
    expect(await store.keepIfIntact(builtFile(1).sha512)).toBeUndefined()
  })

  test.each([
    ['deleted', (path: string) => rmSync(path)],
    ['shortened', (path: string) => truncateSync(path, 5)],
  ])(
    'a file that was %s behind the server is not kept, and can be stored again',
    async (_how, damage) => {
      const { content, sha512 } = builtFile(100)
      const file = await add(content, sha512)
      damage(world.fileOf(file))
      expect(await store.keepIfIntact(sha512)).toBeUndefined()
      expect(await add(content, sha512)).toMatchObject({ sha512, size: 100 })
      expect(existsSync(world.fileOf(file))).toBe(true)
      expect(await store.keepIfIntact(sha512)).toMatchObject({ size: 100 })
    },
  )

  test('what is not a stored file is ignored', async () => {
    const { content, sha512 } = builtFile(100)
    const file = await add(content, sha512)
    writeFileSync(join(world.fileOf(file), '../notes.txt'), 'by hand')
    expect((await world.open()).list()).toHaveLength(1)
  })
})
