import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { backupError } from '../../data-folder/errors.ts'
import { isThere } from '../../data-folder/folder.ts'
import type { CopyComparison, CopyReport, Counts, ReleaseName } from '../../interface/backups.ts'
import { type Connection, dataFile, withPlainConnection } from '../database.ts'
import { storedVersion } from '../header.ts'
import { type LaterState, laterState, NO_LATER_STATE, previewCarryOver } from './carry-over.ts'
import { previewKeys } from './restored-keys.ts'
import { previewPeople } from './restored-people.ts'
import { countRevoked, countUnmarked, lostReleases, releaseNames } from './restored-releases.ts'

const HAS_TABLE = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?"
const COUNT = {
  apps: 'SELECT count(*) FROM apps',
  releases: 'SELECT count(*) FROM releases',
  devices: 'SELECT count(*) FROM devices',
} as const satisfies Record<keyof Counts, string>

/**
 * Reads every page of a backup and counts its rows. Changes nothing, and blocks the thread for as long as
 * reading takes. Throws `StorageError` if it cannot be restored.
 */
export function inspectCopy(path: string): CopyReport {
  return look(path, (_, report) => report)
}

/** Returns what restoring a backup into a data folder would change. Throws like `inspectCopy`. */
export function compareCopy(path: string, folder: string): CopyComparison {
  return look(path, (database, copy) => {
    const present = presentData(dataFile(folder))
    const lost = lostReleases(present?.releases ?? [], releaseNames(database))
    const serving = present && previewCarryOver(database, present.later)
    const access = {
      people: previewPeople(database, present?.later.people ?? null),
      keys: previewKeys(database, present?.later.keys ?? null),
    }
    return {
      copy,
      present: present?.counts ?? null,
      lost,
      offered: countUnmarked(database),
      carriedOver: serving ? { ...serving, keysRevoked: countRevoked(access) } : null,
      access,
    }
  })
}

function look<T>(path: string, work: (database: Connection, report: CopyReport) => T): T {
  const file = resolve(path)
  const stat = statSync(file, { throwIfNoEntry: false })
  if (stat === undefined) throw backupError('missing', file)
  if (!stat.isFile()) throw backupError('unopenable', file, 'it is not a file')
  const schema = stat.size === 0 ? 0 : storedVersion(file)
  if (schema === 0) throw backupError('empty', file)
  // Not read-only: SQLite would leave files beside a copy that has a write-ahead log.
  return withPlainConnection(file, { readonly: false }, (database) => {
    database.pragma('query_only = ON')
    database.pragma('trusted_schema = OFF')
    const found = database.pragma('quick_check(1)', { simple: true })
    if (found !== 'ok') throw backupError('corrupt', file, String(found))
    const { size: bytes, mtimeMs } = stat
    const counts = countsOf(database)
    return work(database, { file, bytes, changedAt: Math.floor(mtimeMs), schema, counts })
  })
}

interface PresentData {
  /** Null if there is no present data. */
  readonly counts: Counts | null
  readonly releases: ReleaseName[]
  readonly later: LaterState
}

/** Undefined if the present data cannot be read. */
function presentData(file: string): PresentData | undefined {
  try {
    if (!isThere(file)) return { counts: null, releases: [], later: NO_LATER_STATE }
    return withPlainConnection(file, { readonly: true }, (database) => ({
      counts: countsOf(database),
      releases: releaseNames(database),
      later: laterState(database),
    }))
  } catch {
    // Damaged data is the most likely reason for a restore.
    return undefined
  }
}

function countsOf(database: Connection): Counts {
  const hasTable = database.prepare<[string], number>(HAS_TABLE).pluck()
  const count = (table: keyof typeof COUNT) =>
    hasTable.get(table) === undefined
      ? 0
      : (database.prepare<[], number>(COUNT[table]).pluck().get() ?? 0)
  return { apps: count('apps'), releases: count('releases'), devices: count('devices') }
}
