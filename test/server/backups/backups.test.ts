import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { BackupSettings } from '../../../src/server/backups/backup-copies.ts'
import { Backups } from '../../../src/server/backups/backups.ts'
import { copyName, ownerOf } from '../../../src/server/backups/folder.ts'
import type { Leadership } from '../../../src/server/runtime/cluster/leadership.ts'
import { backupDatabase } from '../../../src/server/storage/sqlite/backup/backup.ts'
import { openDatabase } from '../../../src/server/storage/sqlite/database.ts'
import { backupParts } from '../../support/builders/backup-parts.ts'
import { preparedFolder, temporaryFolder } from '../../support/builders/folders.ts'
import { eventually } from '../../support/eventually.ts'
import { startFixture } from '../../support/processes/fixture.ts'
import { addApps, appRefs, heavyFolder, storageFailure } from '../../support/servers/database.ts'

/** The machine may be busy with other tests. */
function backupsOf(
  folder: string,
  settings: Partial<BackupSettings> = {},
  parts = backupParts(folder),
) {
  const failures: unknown[] = []
  const all = { everyHours: 0, keep: 3, ...settings }
  const backups = new Backups(parts, all, (error) => failures.push(error))
  onTestFinished(() => backups.stop())
  return { backups, failures }
}

/** A copy by name alone; nobody opens it. */
function lay(folder: string, owner: string, at: number): string {
  mkdirSync(folder, { recursive: true })
  const name = copyName(owner, at)
  writeFileSync(join(folder, name), 'laid by the test')
  return name
}

test('a database that is backed up with its own tools has no schedule, and no failure', async () => {
  const folder = preparedFolder()
  const failures: unknown[] = []
  const parts = { ...backupParts(folder), elsewhere: 'postgres://db/tidegate' }
  const backups = new Backups(parts, { everyHours: 1, keep: 3 }, (error) => failures.push(error))
  onTestFinished(() => backups.stop())
  backups.start(0)
  await storageFailure('unsupported', () => backups.now())
  expect(await backups.status()).toMatchObject({
    ...{ available: false, everyHours: 0, running: false, copies: [] },
    ...{ lastFailure: null, folderProblem: null },
  })
  expect([backups.failure, failures]).toEqual([null, []])
})

test('a copy is made, listed, and can be looked at again', async () => {
  const folder = preparedFolder()
  addApps(folder, 'editor')
  const { backups } = backupsOf(folder)
  expect(await backups.status()).toMatchObject({ lastSuccessAt: null, copies: [] })
  const copy = await backups.now()
  expect(copy).toMatchObject({ own: true, problem: null })
  expect(await backups.status()).toMatchObject({ lastSuccessAt: copy.madeAt, copies: [copy] })
  writeFileSync(copy.file, 'something else was written over it')
  expect(await backups.check(copy.name)).toMatchObject({
    problem: { code: 'not_a_database', file: copy.file, detail: null },
  })
  const { copies } = await backups.status()
  expect(copies[0]?.problem).toMatchObject({ code: 'not_a_database' })
  await storageFailure('missing', () => backups.check(copyName(ownerOf(folder), 0)))
  await storageFailure('missing', () => backups.check('../tidegate.db'))
})

test('the newest copies of this folder stay, and nothing of others goes', async () => {
  const folder = preparedFolder()
  const target = temporaryFolder()
  const { backups } = backupsOf(folder, { folder: target, keep: 2 })
  const [oldest, older] = [1, 2].map((day) => lay(target, ownerOf(folder), day * 86_400_000))
  const foreign = lay(target, '00000000', 0)
  writeFileSync(join(target, 'tidegate-backup.db'), 'made by hand')
  writeFileSync(join(target, `${copyName(ownerOf(folder), 9_000)}.partial`), 'of a killed backup')
  const { name } = await backups.now()
  expect(readdirSync(target).sort()).toEqual([foreign, older, name, 'tidegate-backup.db'].sort())
  expect(readdirSync(target)).not.toContain(oldest)
})

test('two copies of one second have two names; two that ask at once get one', async () => {
  const { backups } = backupsOf(preparedFolder())
  const [one, same] = await Promise.all([backups.now(), backups.now()])
  expect(same).toEqual(one)
  const next = await backups.now()
  expect(next.name).not.toBe(one.name)
  expect((await backups.status()).copies).toHaveLength(2)
})

test('a copy that is due is made by itself', async () => {
  const { backups } = backupsOf(preparedFolder(), { everyHours: 24 })
  backups.start(0)
  await eventually(async () => expect((await backups.status()).copies).toHaveLength(1))
})

test('a copy under constant writes is one moment of the data', async () => {
  const folder = heavyFolder(2_000)
  const writer = startFixture('write-constantly.ts', folder)
  await writer.line()
  const { backups } = backupsOf(folder)
  const { file } = await backups.now()
  await writer.kill()
  const copy = openDatabase(file, { readonly: true })
  const pair = copy.prepare('SELECT left, right FROM pair').raw().get()
  copy.close()
  expect(pair).toEqual([expect.any(Number), expect.any(Number)])
  expect(new Set(Array.isArray(pair) ? pair : []).size).toBe(1)
})

test('an unwritable folder is reported until the next backup succeeds', async () => {
  const folder = preparedFolder()
  const blocked = join(temporaryFolder(), 'file')
  writeFileSync(blocked, '')
  const { backups, failures } = backupsOf(folder, { folder: join(blocked, 'backups') })
  await storageFailure('unopenable', () => backups.now())
  expect(failures).toHaveLength(1)
  expect(backups.failure).toMatchObject({ code: 'unopenable', file: blocked })
  const { lastFailure, folderProblem } = await backups.status()
  expect(lastFailure?.problem).toEqual({
    ...{ code: 'unopenable', file: blocked, detail: null },
    circumstance: { kind: 'not_a_folder' },
  })
  expect(folderProblem).toMatchObject({ code: 'unopenable', file: backups.folder })
  expect(appRefs(folder)).toEqual([])
})

test('a stop ends a copy that is being made, and leaves no file of it', async () => {
  const folder = heavyFolder(2_000)
  // In this thread, so that it is known to be at its first page.
  const { promise: begun, resolve: onProgress } = Promise.withResolvers<unknown>()
  const parts = backupParts(folder)
  vi.spyOn(parts.copies, 'make').mockImplementation((destination, signal) =>
    backupDatabase(folder, destination, { signal, onProgress }),
  )
  const { backups, failures } = backupsOf(folder, {}, parts)
  const copy = backups.now().catch((error: unknown) => error)
  await begun
  await backups.stop()
  expect(await copy).toBeInstanceOf(Error)
  expect(backups.failure).toBeNull()
  expect(failures).toEqual([])
  expect(readdirSync(backups.folder)).toEqual([])
})

test('a copy on the schedule waits until this server leads', async () => {
  const folder = preparedFolder()
  const { promise: asked, resolve: ask } = Promise.withResolvers<() => void>()
  const leadership: Leadership = {
    run: (work) =>
      new Promise((resolve, reject) => {
        ask(() => void work(new AbortController().signal).then(resolve, reject))
      }),
  }
  const settings = { everyHours: 1, keep: 3 }
  const backups = new Backups({ ...backupParts(folder), leadership }, settings)
  onTestFinished(() => backups.stop())
  backups.start(0)
  const lead = await asked
  expect((await backups.status()).copies).toEqual([])
  lead()
  await vi.waitFor(async () => expect((await backups.status()).copies).toHaveLength(1), {
    timeout: 30_000,
    interval: 5,
  })
})
