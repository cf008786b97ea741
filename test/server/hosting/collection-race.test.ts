import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FILE_LIFE } from '../../../src/server/hosting/collection.ts'
import { Hosting } from '../../../src/server/hosting/hosting.ts'
import { SoleLeaderFacts } from '../../../src/server/storage/sqlite/engine/sqlite-storage.ts'
import { fileUses } from '../../../src/server/use-cases/files/file-uses.ts'
import { temporaryFolder } from '../../support/builders/folders.ts'
import { artifact } from '../../support/builders/releases.ts'
import { openTwo, publishOn } from '../../support/servers/catalog.ts'
import { builtFile, noPatches } from '../../support/servers/hosting.ts'

const RUNNING = new AbortController().signal

/** A stored file that nothing names, older than a day. `between` runs each time that names were read. */
async function openOld(between: (reading: number) => Promise<void> | void) {
  const { here, there } = await openTwo()
  const folder = temporaryFolder()
  let readings = 0
  const hosting = await Hosting.open({
    ...{ folder, publicUrl: 'https://updates.example', quotaBytes: 0, minFreeBytes: 0 },
    record: async () => {},
    facts: new SoleLeaderFacts(),
    whileNobodyNames: (work) => here.store.transact(work),
    named: async () => {
      const named = new Set((await fileUses(here)).keys())
      readings += 1
      await between(readings)
      return named
    },
    clock: () => Date.now() + FILE_LIFE + 60_000,
    onDeleted: () => {},
    onFailure: () => {},
    onLost: () => {},
    onBucketFailure: () => {},
    shares: async () => (owner) => owner,
    onDropped: () => {},
    ...{ storeWithin: 60_000, mapWithin: 60_000 },
    onMakingFailure: () => {},
    patching: noPatches,
    onMapRefused: () => {},
  })
  here.guardArtifacts((artifacts) => hosting.requireStored(artifacts))
  const { content, sha512 } = builtFile(100)
  const upload = join(folder, 'upload')
  writeFileSync(upload, content)
  const file = await hosting.stored.add(upload, { sha512, name: 'Editor.exe', size: 100 })
  const members = { artifacts: [artifact({ url: hosting.urlOf(file), sha512, size: 100 })] }
  return { here, there, hosting, file, members, path: join(folder, 'files', sha512) }
}

test('a release that is published while its file is deleted is refused', async () => {
  let published: Promise<unknown> | undefined
  const world = await openOld((reading) => {
    // Inside the transaction, between the look at the names and the deletion.
    if (reading === 2) published = publishOn(world.here, '1.0.0', world.members).catch((e) => e)
  })
  await world.hosting.collection.collect(RUNNING)
  expect(await published).toMatchObject({
    facts: { code: 'file_not_stored', path: ['artifacts', '0', 'url'] },
  })
  expect(existsSync(world.path)).toBe(false)
})

test('a file stays that another process has published after its name was looked for', async () => {
  const world = await openOld(async (reading) => {
    if (reading === 1) await publishOn(world.there, '1.0.0', world.members)
  })
  await world.there.refresh()
  await world.hosting.collection.collect(RUNNING)
  expect(existsSync(world.path)).toBe(true)
  expect(world.hosting.stored.find(world.file.sha512)).toBeDefined()
})

test('a file that is kept just before it is deleted stays', async () => {
  const { hosting, file, path } = await openOld(() => {})
  const kept = hosting.stored.keepIfIntact(file.sha512)
  const removed = hosting.stored.remove(file)
  expect([(await kept)?.sha512, await removed]).toEqual([file.sha512, false])
  expect(existsSync(path)).toBe(true)
})

test('an address of this server without a file is refused, one elsewhere is not', async () => {
  const { here, hosting, file, members } = await openOld(() => {})
  await hosting.stored.remove(file)
  await expect(publishOn(here, '1.0.0', members)).rejects.toMatchObject({
    facts: { code: 'file_not_stored' },
  })
  const elsewhere = members.artifacts.map((each) => ({ ...each, url: 'https://files.example/a' }))
  await publishOn(here, '1.0.0', { artifacts: elsewhere })
})
