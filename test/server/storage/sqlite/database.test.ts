import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  type Connection,
  dataFile,
  type OpenOptions,
  openDatabase,
} from '../../../../src/server/storage/sqlite/database.ts'
import { preparedFolder, temporaryFolder } from '../../../support/builders/folders.ts'
import { storageFailure } from '../../../support/servers/database.ts'
import { needs } from '../../../support/tools.ts'

function open(file: string, options?: OpenOptions): Connection {
  const database = openDatabase(file, options)
  onTestFinished(() => {
    database.close()
  })
  return database
}

function pragma(database: Connection, name: string): unknown {
  return database.pragma(name, { simple: true })
}

describe('a connection', () => {
  test('is durable, checks references and has the configured cache', () => {
    const database = open(dataFile(preparedFolder()), { cacheKiB: 512 })
    expect(pragma(database, 'journal_mode')).toBe('wal')
    expect(pragma(database, 'synchronous')).toBe(2)
    expect(pragma(database, 'foreign_keys')).toBe(1)
    expect(pragma(database, 'trusted_schema')).toBe(0)
    expect(pragma(database, 'busy_timeout')).toBe(5_000)
    expect(pragma(database, 'cache_size')).toBe(-512)
    expect(pragma(open(dataFile(preparedFolder())), 'cache_size')).toBe(-16_384)
  })

  test('moves its log into the file, or leaves that to another', () => {
    const grow = (checkpoint: 'automatic' | 'elsewhere') => {
      const file = dataFile(preparedFolder())
      const database = open(file, { checkpoint })
      database.exec('CREATE TABLE ballast (filler BLOB)')
      const insert = database.prepare('INSERT INTO ballast VALUES (randomblob(400000))')
      for (let count = 0; count < 30; count++) insert.run()
      return statSync(`${file}-wal`).size
    }
    expect(grow('automatic')).toBeLessThan(8_000_000)
    expect(grow('elsewhere')).toBeGreaterThan(12_000_000)
  })

  test('cannot write when it is read-only', () => {
    const database = open(dataFile(preparedFolder()), { readonly: true })
    expect(() => database.exec('CREATE TABLE x (id INTEGER)')).toThrow(/readonly/)
  })

  test('creates no file', async () => {
    const file = dataFile(temporaryFolder())
    await storageFailure('missing', () => openDatabase(file))
    await storageFailure('missing', () => openDatabase(file, { readonly: true }))
    expect(existsSync(file)).toBe(false)
  })
})

const WRITES = `
  const Database = (await import('better-sqlite3')).default
  const { runPacked } = await import('./src/server/storage/sqlite/statements.ts')
  const database = new Database(':memory:')
  database.exec('CREATE TABLE numbers (a, b, c)')
  const insert = database.prepare('INSERT INTO numbers VALUES (?, ?, ?)')
  runPacked(insert, new Float64Array(300_000), 3)
  const [rests] = /(?<=^voluntary_ctxt_switches:\\s+)\\d+/m.exec(readFileSync('/proc/thread-self/status', 'utf8'))
  console.log(database.prepare('SELECT count(*) FROM numbers').pluck().get(), rests)`

test('a thread that writes rests between rows on a single core', needs('taskset'), () => {
  const script = `const { readFileSync } = await import('node:fs'); ${WRITES}`
  const run = ['--cpu-list', '0', process.execPath, '--input-type=module', '--eval', script]
  const { stdout } = spawnSync('taskset', run, { encoding: 'utf8', cwd: process.cwd() })
  const [rows, rests] = stdout.split(' ').map(Number)
  expect(rows).toBe(100_000)
  // A row takes half a microsecond at least.
  expect(rests).toBeGreaterThan(50)
})
