import { statfsSync, statSync } from 'node:fs'
import { MIGRATIONS, schemaVersion } from '../migrations/index.ts'
import { type Connection, dataFile, openDatabase } from '../sqlite/database.ts'
import { StorageError, storageError } from '../sqlite/errors.ts'
import { storedVersion } from '../sqlite/header.ts'
import { historyIssues } from './history-check.ts'

const LARGE_LOG = 1_024 ** 3

export interface Finding {
  /** An `error` needs mending before the server can be relied on. */
  readonly level: 'error' | 'warning'
  /** What is wrong, and what to do. */
  readonly message: string
}

export interface DoctorReport {
  /** False where there is a finding of level `error`. */
  readonly ok: boolean
  readonly findings: readonly Finding[]
  readonly file: string
  /** Schema version of the file, `undefined` where it could not be read, and the one expected. */
  readonly version: number | undefined
  readonly expectedVersion: number
  readonly databaseBytes: number
  readonly logBytes: number
  /** Free bytes on the disk of the data folder that this account may use. */
  readonly freeBytes: number | undefined
  /** Rows by table. Empty where the file could not be read. */
  readonly rows: Readonly<Record<string, number>>
}

/**
 * Examines the database of a data folder without changing it; a server may be running. Reads
 * every page, which takes minutes for tens of gigabytes, and blocks the thread meanwhile.
 * Never throws for the state of the database: that is what the report is for.
 */
export function examine(folder: string): DoctorReport {
  const file = dataFile(folder)
  const findings: Finding[] = []
  const sizes = {
    databaseBytes: sizeOf(file),
    logBytes: sizeOf(`${file}-wal`),
    freeBytes: freeBytes(folder),
  }
  findings.push(...sizeFindings(sizes))
  const expectedVersion = schemaVersion(MIGRATIONS)
  let version: number | undefined
  let rows = {}
  try {
    version = storedVersion(file)
    findings.push(...versionFindings(version, expectedVersion))
    rows = withDatabase(file, (database) => {
      findings.push(...damage(database))
      if (version === expectedVersion) findings.push(...historyFindings(database))
      return countRows(database)
    })
  } catch (error) {
    findings.push({ level: 'error', message: storageError(error, file).message })
  }
  const ok = findings.every((finding) => finding.level !== 'error')
  return { ok, findings, file, version, expectedVersion, ...sizes, rows }
}

function withDatabase<T>(file: string, work: (database: Connection) => T): T {
  const database = openDatabase(file, { readonly: true })
  try {
    return work(database)
  } finally {
    database.close()
  }
}

function damage(database: Connection): Finding[] {
  const issues = database.prepare<[], string>('PRAGMA integrity_check(20)').pluck().all()
  const orphans = database
    .prepare<[], { table: string; parent: string }>('PRAGMA foreign_key_check')
    .all()
  const reasons = [
    ...issues.filter((issue) => issue !== 'ok'),
    ...new Set(orphans.map(({ table, parent }) => `${table} refers to missing rows of ${parent}`)),
  ]
  return reasons.map((reason) => {
    const fix = 'Stop the server, keep a copy of the data folder and restore a backup.'
    return { level: 'error', message: `The database is damaged: ${reason}. ${fix}` }
  })
}

function historyFindings(database: Connection): Finding[] {
  return historyIssues(database).map((issue) => {
    const fix = 'The history of some devices is shown with gaps; updates are not concerned.'
    return { level: 'warning', message: `${issue} ${fix}` }
  })
}

function countRows(database: Connection): Record<string, number> {
  const tables = database
    .prepare<[], string>(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*' ORDER BY name`,
    )
    .pluck()
    .all()
  const count = (table: string) =>
    database.prepare<[], number>(`SELECT count(*) FROM "${table}"`).pluck().get() ?? 0
  return Object.fromEntries(tables.map((table) => [table, count(table)]))
}

function versionFindings(version: number, expected: number): Finding[] {
  if (version === expected) return []
  if (version === 0)
    throw new StorageError('missing', 'There is no database yet. Start the server.')
  const what = `The database is of schema ${version} and this program uses ${expected}`
  return [{ level: 'warning', message: `${what}. The next start of the server migrates it.` }]
}

type Sizes = Pick<DoctorReport, 'databaseBytes' | 'logBytes' | 'freeBytes'>

function sizeFindings({ databaseBytes, logBytes, freeBytes }: Sizes): Finding[] {
  const findings: Finding[] = []
  const needed = databaseBytes + logBytes
  if (freeBytes !== undefined && freeBytes < needed) {
    const what = `The disk has ${megabytes(freeBytes)} free, less than the ${megabytes(needed)} of the database`
    const message = `${what}. An update of the program copies it first: free some space.`
    findings.push({ level: 'warning', message })
  }
  if (logBytes > LARGE_LOG) {
    const what = `The write-ahead log has grown to ${megabytes(logBytes)}`
    const message = `${what}. A long read or backup holds it; when none runs, restart the server.`
    findings.push({ level: 'warning', message })
  }
  return findings
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

function freeBytes(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return undefined
  }
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1_000_000)} MB`
}
