import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { backupDatabase } from '../../../../../src/server/storage/sqlite/backup/backup.ts'
import { dataFile, openDatabase } from '../../../../../src/server/storage/sqlite/database.ts'
import { storedVersion } from '../../../../../src/server/storage/sqlite/header.ts'
import { schemaVersion } from '../../../../../src/server/storage/sqlite/migrations/index.ts'
import { preparedFolder, temporaryFolder } from '../../../../support/builders/folders.ts'
import { startFixture } from '../../../../support/processes/fixture.ts'
import {
  addApps,
  heavyFolder,
  sentenceOf,
  sha256,
  storageFailure,
} from '../../../../support/servers/database.ts'

function query(file: string, sql: string): unknown[] {
  const database = new Database(file, { readonly: true })
  try {
    return database.prepare(sql).raw().all()
  } finally {
    database.close()
  }
}

/** How often `write-constantly.ts` has written. */
const generationOf = (file: string) => Number(query(file, 'SELECT left FROM pair')[0])

/**
 * Blocks the thread until `write-constantly.ts` has written once more: between two steps of a backup there is no
 * other way to wait.
 */
function waitForWrite(file: string): void {
  const giveUpAt = performance.now() + 60_000
  const generation = generationOf(file)
  while (generationOf(file) === generation) {
    if (performance.now() > giveUpAt) throw new Error('nothing is written')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
  }
}

describe('a backup', () => {
  test('is one file with everything, and of this account only', async () => {
    const folder = preparedFolder()
    addApps(folder, 'editor', 'player')
    const destination = `${temporaryFolder()}/copy.db`
    const result = await backupDatabase(folder, destination)
    expect(readdirSync(dirname(destination))).toEqual(['copy.db'])
    expect(query(destination, 'SELECT ref FROM apps')).toEqual([['editor'], ['player']])
    expect(storedVersion(destination)).toBe(schemaVersion())
    expect(result.bytes).toBe(statSync(destination).size)
    expect(result.pages).toBe(result.bytes / 4_096)
    expect(statSync(destination).mode & 0o777).toBe(0o600)
    // Without a log of its own, reading it leaves nothing beside it.
    expect(readdirSync(dirname(destination))).toEqual(['copy.db'])
  })

  test('contains what is in the log of a running server', async () => {
    const folder = preparedFolder()
    const database = openDatabase(dataFile(folder), { checkpoint: 'elsewhere' })
    addApps(folder, 'editor')
    const destination = `${temporaryFolder()}/copy.db`
    await backupDatabase(folder, destination)
    expect(query(destination, 'SELECT ref FROM apps')).toEqual([['editor']])
    database.close()
  })

  test('is one moment of a database that another process keeps writing', async () => {
    const folder = heavyFolder(10_000)
    const destination = `${temporaryFolder()}/copy.db`
    const writer = startFixture('write-constantly.ts', folder)
    const startedAt = Number(await writer.line())
    const seen: number[] = []
    const result = await backupDatabase(folder, destination, {
      onProgress: (done) => {
        expect(done, 'no step is taken back').toBeGreaterThan(seen.at(-1) ?? -1)
        seen.push(done)
        waitForWrite(dataFile(folder))
      },
    })
    expect(seen.at(-1)).toBe(result.pages)
    expect(seen.length).toBe(Math.ceil(result.pages / 512) + 1)
    const [[left, right] = []] = query(destination, 'SELECT left, right FROM pair') as number[][]
    expect(left).toBe(right)
    expect(left).toBeGreaterThanOrEqual(startedAt)
    expect(generationOf(dataFile(folder))).toBeGreaterThanOrEqual(Number(left) + seen.length)
    expect(query(destination, 'PRAGMA integrity_check')).toEqual([['ok']])
    expect(
      query(destination, 'SELECT max(generation) <= ? FROM ballast'.replace('?', String(left))),
    ).toEqual([[1]])
  })

  test('can be interrupted, and leaves nothing', async () => {
    const folder = heavyFolder(10_000)
    const target = temporaryFolder()
    const aborted = new AbortController()
    const backup = backupDatabase(folder, `${target}/copy.db`, {
      signal: aborted.signal,
      onProgress: (done) => {
        if (done > 1_000) aborted.abort(new Error('enough'))
      },
    })
    await expect(backup).rejects.toThrow('enough')
    expect(readdirSync(target)).toEqual([])
    await expect(
      backupDatabase(folder, `${target}/copy.db`, { signal: aborted.signal }),
    ).rejects.toThrow('enough')
    expect(readdirSync(target)).toEqual([])
  })

  test('rejects with the error of its listener, and leaves nothing', async () => {
    const target = temporaryFolder()
    const backup = backupDatabase(preparedFolder(), `${target}/copy.db`, {
      onProgress: () => {
        throw new Error('on purpose')
      },
    })
    await expect(backup).rejects.toThrow('on purpose')
    expect(readdirSync(target)).toEqual([])
  })

  test('replaces files only on request', async () => {
    const folder = preparedFolder()
    const destination = `${temporaryFolder()}/copy.db`
    writeFileSync(destination, 'precious')
    const failure = await storageFailure('replaceable', () => backupDatabase(folder, destination))
    expect(sentenceOf(failure)).toContain(destination)
    expect(readFileSync(destination, 'utf8')).toBe('precious')
    await backupDatabase(folder, destination, { overwrite: true })
    expect(storedVersion(destination)).toBe(schemaVersion())
    expect(readdirSync(dirname(destination))).toEqual(['copy.db'])
  })

  test('replaces neither a folder nor the database itself', async () => {
    const folder = preparedFolder()
    const target = temporaryFolder()
    mkdirSync(`${target}/copy.db`)
    for (const [code, destination] of [
      ['exists', `${target}/copy.db`],
      ['in_use', dataFile(folder)],
    ] as const) {
      const before = sha256(dataFile(folder))
      await storageFailure(code, () => backupDatabase(folder, destination, { overwrite: true }))
      expect(sha256(dataFile(folder))).toBe(before)
    }
  })

  test('replaces the remains of a killed backup, but not of a running one', async () => {
    const folder = preparedFolder()
    const destination = `${temporaryFolder()}/copy.db`
    const running = new Database(`${destination}.partial`)
    running.exec('BEGIN EXCLUSIVE')
    await storageFailure('busy', () => backupDatabase(folder, destination))
    running.close()
    writeFileSync(`${destination}.partial`, 'half-written')
    await backupDatabase(folder, destination)
    expect(readdirSync(dirname(destination))).toEqual(['copy.db'])
  })

  test('does not take over damage', async () => {
    const folder = heavyFolder(10_000)
    damage(dataFile(folder))
    const target = temporaryFolder()
    const failure = await storageFailure('corrupt', () =>
      backupDatabase(folder, `${target}/copy.db`),
    )
    expect(sentenceOf(failure)).toContain('doctor')
    expect(readdirSync(target)).toEqual([])
  })

  test('needs a database and a folder to write to', async () => {
    const target = temporaryFolder()
    await storageFailure('missing', () => backupDatabase(temporaryFolder(), `${target}/copy.db`))
    await storageFailure('missing', () => backupDatabase(preparedFolder(), `${target}/no/copy.db`))
    expect(readdirSync(target)).toEqual([])
  })
})

/** Overwrites the roots of all tables but the first. */
function damage(file: string): void {
  const bytes = readFileSync(file)
  bytes.fill(0x5a, 4_096 * 2, 4_096 * 12)
  writeFileSync(file, bytes)
}
