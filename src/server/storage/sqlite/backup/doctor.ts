import { statSync } from 'node:fs'
import { storageProblem } from '../../data-folder/errors.ts'
import type { DoctorReport, Finding } from '../../interface/findings.ts'
import { historyChecks } from '../../shared/history-checks.ts'
import { type Connection, dataFile, openDatabase } from '../database.ts'
import { storedVersion } from '../header.ts'
import { MIGRATIONS, schemaVersion } from '../migrations/index.ts'
import { freeBytes } from '../prepare.ts'

/** Every lookup uses an index or the primary key. */
const CHECKS = historyChecks({
  states: 'device_states',
  device: 'device',
  withoutPrevious: `previous <> 0 AND NOT EXISTS (
    SELECT 1 FROM profile_changes AS older WHERE older.id = newer.previous
      AND older.device = newer.device AND older.id < newer.id)`,
  outOfOrder: 'previous >= id',
})

/**
 * Returns what is wrong with the chains of check-ins and profile changes, with the hourly counter and with the counters of releases. This
 * affects only the history: decisions do not use it. Reads every row.
 */
export function historyIssues(database: Connection): Finding[] {
  return CHECKS.flatMap(([issue, sql]) => {
    const count = database.prepare<[], number>(sql).pluck().get() ?? 0
    return count === 0 ? [] : [{ level: 'warning', code: 'history', issue, count }]
  })
}

const LARGE_LOG = 1_024 ** 3

/**
 * Examines the database of a data folder without changing it; a server may be running. Reads
 * every page, which takes minutes for tens of gigabytes, and blocks the thread meanwhile.
 * Never throws because of the state of the database, which is what the report describes.
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
  let rows: Record<string, number> = {}
  try {
    version = storedVersion(file)
    if (version === 0) findings.push({ level: 'error', code: 'empty' })
    else rows = readThrough(file, version, expectedVersion, findings)
  } catch (error) {
    findings.push({ level: 'error', code: 'unreadable', problem: storageProblem(error, file) })
  }
  const ok = findings.every((finding) => finding.level !== 'error')
  return { ok, findings, file, version, expectedVersion, ...sizes, rows }
}

function readThrough(
  file: string,
  version: number,
  expected: number,
  findings: Finding[],
): Record<string, number> {
  if (version !== expected) {
    findings.push({ level: 'warning', code: 'outdated', version, expected })
  }
  const database = openDatabase(file, { readonly: true })
  try {
    findings.push(...damage(database))
    if (version === expected) findings.push(...historyIssues(database))
    return countRows(database)
  } finally {
    database.close()
  }
}

function damage(database: Connection): Finding[] {
  const issues = database.prepare<[], string>('PRAGMA integrity_check(20)').pluck().all()
  const orphans = database
    .prepare<[], { table: string; parent: string }>('PRAGMA foreign_key_check')
    .all()
  const missing = new Map(orphans.map((orphan) => [`${orphan.table} ${orphan.parent}`, orphan]))
  return [
    ...issues
      .filter((issue) => issue !== 'ok')
      .map((detail) => ({ level: 'error', code: 'damaged', detail }) as const),
    ...[...missing.values()].map(
      ({ table, parent }) => ({ level: 'error', code: 'orphans', table, parent }) as const,
    ),
  ]
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

interface Sizes extends Pick<DoctorReport, 'databaseBytes' | 'freeBytes'> {
  readonly logBytes: number
}

function sizeFindings({ databaseBytes, logBytes, freeBytes }: Sizes): Finding[] {
  const findings: Finding[] = []
  const neededBytes = databaseBytes + logBytes
  if (freeBytes !== undefined && freeBytes < neededBytes) {
    findings.push({ level: 'warning', code: 'low_disk_space', freeBytes, neededBytes })
  }
  if (logBytes > LARGE_LOG) findings.push({ level: 'warning', code: 'large_log', logBytes })
  return findings
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
