import {
  copyFileSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { lockDataFolder } from '../../../../../src/server/storage/data-folder/lock.ts'
import { backupDatabase } from '../../../../../src/server/storage/sqlite/backup/backup.ts'
import { restoreDatabase } from '../../../../../src/server/storage/sqlite/backup/restore.ts'
import { dataFile, openDatabase } from '../../../../../src/server/storage/sqlite/database.ts'
import { schemaVersion } from '../../../../../src/server/storage/sqlite/migrations/index.ts'
import { prepareDatabase } from '../../../../../src/server/storage/sqlite/prepare.ts'
import { ACTOR } from '../../../../support/builders/actor.ts'
import { preparedFolder, temporaryFolder } from '../../../../support/builders/folders.ts'
import { startFixture } from '../../../../support/processes/fixture.ts'
import {
  addApps,
  appRefs,
  sentenceOf,
  sha256,
  storageFailure,
} from '../../../../support/servers/database.ts'

const ADD = "INSERT INTO apps (id, ref, name, created_at) VALUES ('l', 'in-log', 'l', '')"

/** A data folder with the app "new", and a backup of its past with the app "old". */
async function folderAndBackup(): Promise<{ folder: string; backup: string }> {
  const folder = preparedFolder()
  addApps(folder, 'old')
  const backup = `${temporaryFolder()}/backup.db`
  await backupDatabase(folder, backup)
  addApps(folder, 'new')
  return { folder, backup }
}

describe('a restore', () => {
  test('puts the backup in place and the old database aside', async () => {
    const { folder, backup } = await folderAndBackup()
    const before = sha256(backup)
    const { aside, version } = await restoreDatabase(folder, backup, { actor: ACTOR })
    expect(version).toBe(schemaVersion())
    expect(appRefs(folder)).toEqual(['old'])
    expect(aside).toMatch(/tidegate\.db\.before-restore-[0-9TZ-]+$/)
    expect(refsOf(aside)).toEqual(['old', 'new'])
    expect(sha256(backup)).toBe(before)
    expect(readdirSync(dirname(backup))).toEqual(['backup.db'])
    expect(leftovers(folder)).toEqual([])
  })

  test('keeps what was in the log of the old database, and out of the new one', async () => {
    const { folder, backup } = await folderAndBackup()
    await startFixture('run-sql.ts', 'crash', dataFile(folder), ADD).exited
    expect(statSync(`${dataFile(folder)}-wal`).size).toBeGreaterThan(0)
    const { aside } = await restoreDatabase(folder, backup, { actor: ACTOR })
    expect(appRefs(folder)).toEqual(['old'])
    expect(refsOf(aside)).toEqual(['old', 'new', 'in-log'])
  })

  test('imports the log beside a backup', async () => {
    const { folder, backup } = await folderAndBackup()
    await startFixture('run-sql.ts', 'crash', backup, ADD).exited
    await restoreDatabase(folder, backup, { actor: ACTOR })
    expect(appRefs(folder)).toEqual(['old', 'in-log'])
  })

  test('works if there is no database yet, or a stray log of one', async () => {
    const { folder: other, backup } = await folderAndBackup()
    await startFixture('run-sql.ts', 'crash', dataFile(other), ADD).exited
    const folder = temporaryFolder()
    copyFileSync(`${dataFile(other)}-wal`, `${dataFile(folder)}-wal`)
    expect((await restoreDatabase(folder, backup, { actor: ACTOR })).aside).toBeUndefined()
    expect(appRefs(folder)).toEqual(['old'])
  })

  test('replaces a damaged database, whose log never meets the new one', async () => {
    const { folder, backup } = await folderAndBackup()
    const file = dataFile(folder)
    await startFixture('run-sql.ts', 'crash', file, ADD).exited
    const log = sha256(`${file}-wal`)
    writeFileSync(file, 'garbage '.repeat(2_000))
    const { aside } = await restoreDatabase(folder, backup, { actor: ACTOR })
    expect(appRefs(folder)).toEqual(['old'])
    expect(readFileSync(aside ?? '', 'utf8')).toMatch(/^garbage /)
    expect(sha256(`${aside}-wal`)).toBe(log)
  })

  test('brings back an older schema, which the next start migrates', async () => {
    const { folder, backup } = await folderAndBackup()
    const sql = 'CREATE TABLE later (id INTEGER PRIMARY KEY)'
    const next = { number: schemaVersion() + 1, name: 'later', sql }
    openDatabase(dataFile(folder)).exec(sql).exec(`PRAGMA user_version = ${next.number}`).close()
    await restoreDatabase(folder, backup, { actor: ACTOR })
    expect(prepareDatabase(folder, { lockHeld: false })).toMatchObject({ to: schemaVersion() })
  })

  test('gives the lock back, and respects one that is held', async () => {
    const { folder, backup } = await folderAndBackup()
    const lock = lockDataFolder(folder)
    await storageFailure('locked', () => restoreDatabase(folder, backup, { actor: ACTOR }))
    expect(appRefs(folder)).toEqual(['old', 'new'])
    await restoreDatabase(folder, backup, { actor: ACTOR, lockHeld: true })
    lock.release()
    lockDataFolder(folder).release()
  })
})

describe('a restore that cannot be', () => {
  async function refused(
    code: Parameters<typeof storageFailure>[0],
    folder: string,
    backup: string,
  ): Promise<void> {
    const before = sha256(dataFile(folder))
    const failure = await storageFailure(code, () =>
      restoreDatabase(folder, backup, { actor: ACTOR }),
    )
    expect(sentenceOf(failure)).toMatch(/[a-z].*\./)
    expect(sha256(dataFile(folder))).toBe(before)
    expect(leftovers(folder)).toEqual([])
    expect(readdirSync(folder).filter((name) => name.includes('before'))).toEqual([])
    expect(appRefs(folder)).toEqual(['old', 'new'])
  }

  test('names the problem of the backup and changes nothing', async () => {
    const { folder, backup } = await folderAndBackup()
    const make = (change: (file: string) => void) => {
      const file = `${temporaryFolder()}/bad.db`
      copyFileSync(backup, file)
      change(file)
      return file
    }
    const size = statSync(backup).size
    const sql = (text: string) => (file: string) => {
      new Database(file).exec(text).close()
    }
    await refused('missing', folder, `${backup}.none`)
    await refused(
      'not_a_database',
      folder,
      make((file) => writeFileSync(file, 'garbage')),
    )
    await refused(
      'empty',
      folder,
      make((file) => writeFileSync(file, '')),
    )
    await refused(
      'corrupt',
      folder,
      make((file) => truncateSync(file, size - 4_096)),
    )
    await refused('newer_database', folder, make(sql('PRAGMA user_version = 999')))
    await refused('foreign_database', folder, make(sql('PRAGMA application_id = 1')))
    await refused(
      'corrupt',
      folder,
      make((file) => {
        const bytes = readFileSync(file)
        bytes.fill(0x5a, size - 4_096)
        writeFileSync(file, bytes)
      }),
    )
  })

  test('takes no other name of the database for a backup', async () => {
    const { folder } = await folderAndBackup()
    const link = `${temporaryFolder()}/link.db`
    linkSync(dataFile(folder), link)
    for (const same of [dataFile(folder), link]) await refused('in_use', folder, same)
  })

  test('waits for no command that has the database open, and changes nothing', async () => {
    const { folder, backup } = await folderAndBackup()
    for (const readonly of [true, false]) {
      const command = openDatabase(dataFile(folder), { readonly })
      command.prepare('SELECT count(*) FROM apps').get()
      const failure = await storageFailure('locked', () =>
        restoreDatabase(folder, backup, { actor: ACTOR }),
      )
      expect(sentenceOf(failure)).toContain(dataFile(folder))
      expect(command.prepare('SELECT count(*) FROM apps').pluck().get()).toBe(2)
      command.close()
      expect(readdirSync(folder).filter((name) => /restor|partial/.test(name))).toEqual([])
    }
    expect(appRefs(folder)).toEqual(['old', 'new'])
  })
})

test('a command that opens the old database during the exchange is refused', async () => {
  const { folder, backup } = await folderAndBackup()
  const restoring = startFixture('restore-with-intruder.ts', folder, backup)
  expect(await restoring.line()).toBe('refused: SQLITE_BUSY')
  expect(await restoring.exited).toMatchObject({ code: 0, stderr: '' })
  expect(appRefs(folder)).toEqual(['old'])
})

describe('a restore that is killed', () => {
  for (const state of ['closed', 'with a log', 'damaged'] as const) {
    test(`leaves the complete old or new database, and can be repeated: ${state}`, async () => {
      let [oldSeen, newSeen] = [0, 0]
      for (let step = 1; ; step++) {
        const { folder, backup } = await folderAndBackup()
        const file = dataFile(folder)
        if (state === 'with a log') await startFixture('run-sql.ts', 'crash', file, ADD).exited
        if (state === 'damaged') writeFileSync(file, 'garbage '.repeat(2_000))
        const args = ['restore', String(step), folder, backup]
        const { signal, code, stderr } = await startFixture('die-at-step.ts', ...args).exited
        expect(existsSync(file)).toBe(true)
        const isOld = state === 'damaged' && readFileSync(file, 'latin1').startsWith('garbage')
        const refs = isOld ? 'damaged' : appRefs(folder).join()
        if (refs === 'old') newSeen += 1
        else oldSeen += 1
        expect([
          'old',
          { closed: 'old,new', 'with a log': 'old,new,in-log', damaged: 'damaged' }[state],
        ]).toContain(refs)
        if (signal === null) {
          expect({ code, stderr, refs }).toEqual({ code: 0, stderr: '', refs: 'old' })
          break
        }
        await restoreDatabase(folder, backup, { actor: ACTOR })
        expect(appRefs(folder)).toEqual(['old'])
        expect(leftovers(folder)).toEqual([])
      }
      expect(oldSeen).toBeGreaterThan(3)
      expect(newSeen).toBeGreaterThan(1)
    })
  }
})

function refsOf(file: string | undefined): unknown[] {
  const database = new Database(file, { readonly: true })
  try {
    return database.prepare('SELECT ref FROM apps ORDER BY key').pluck().all()
  } finally {
    database.close()
  }
}

function leftovers(folder: string): string[] {
  return readdirSync(folder).filter((name) => /restoring|partial|-wal|-shm|-journal/.test(name))
}
