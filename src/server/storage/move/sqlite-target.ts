import { guarded } from '../data-folder/errors.ts'
import { isThere, MOVING, removeDatabase, syncFile } from '../data-folder/folder.ts'
import { type FolderLock, lockDataFolder } from '../data-folder/lock.ts'
import { MoveError } from '../interface/moves.ts'
import { StorageError } from '../interface/storage-error.ts'
import { publishCopy } from '../sqlite/backup/copy.ts'
import { type Connection, dataFile, openDatabase } from '../sqlite/database.ts'
import { migrateDatabase } from '../sqlite/migrate.ts'
import { numberOf } from './differences.ts'
import type { MoveRecord, MoveTarget, Row, TableProgress } from './side.ts'
import { sqliteReader } from './sqlite-reader.ts'
import { sqliteWrites } from './sqlite-tables.ts'
import type { MovedTable } from './tables.ts'

/** Highest number of a device: memory is reserved up to it. */
const MAX_DEVICE = 2 ** 31 - 1
/** The name under which the record of the move is kept, beside the progress of the tables. */
const RECORD = ''

const SQL = {
  create: 'CREATE TABLE tidegate_move (name TEXT PRIMARY KEY, state TEXT NOT NULL) STRICT',
  exists: "SELECT 1 FROM sqlite_schema WHERE name = 'tidegate_move'",
  get: 'SELECT state FROM tidegate_move WHERE name = ?',
  set: 'INSERT OR REPLACE INTO tidegate_move (name, state) VALUES (?, ?)',
  drop: 'DROP TABLE tidegate_move',
  closing: "SELECT sql FROM sqlite_schema WHERE name = 'artifacts_closed'",
  forgetSequence: 'DELETE FROM sqlite_sequence WHERE name = ?',
  setSequence: 'INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)',
  telemetry: `UPDATE telemetry_state SET last_check_in = @check_ins, rows_through = @check_ins,
    last_device = @devices, last_profile = @profiles, last_release = @offered_releases`,
  // The log may have check-ins of a device that was deleted.
  free: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < @devices)
    INSERT INTO freed_devices (device, last_check_in) SELECT i, @check_ins FROM n
    WHERE @devices > 0 AND NOT EXISTS (SELECT 1 FROM devices WHERE id = i)`,
} as const

/**
 * Opens a data folder that is filled, under another name than that of a database: a server that finds it refuses to start.
 * The last step gives it its name. Throws `StorageError` `locked` if a server or another move holds the folder.
 */
export function openSqliteTarget(folder: string): MoveTarget {
  const lock = lockDataFolder(folder)
  try {
    return targetIn(folder, lock)
  } catch (error) {
    lock.release()
    throw error
  }
}

function targetIn(folder: string, lock: FolderLock): MoveTarget {
  const draft = dataFile(folder) + MOVING
  let opened: Connection | undefined
  const close = () => {
    opened?.close()
    opened = undefined
  }
  if (isThere(draft)) {
    opened = openDatabase(draft)
    if (opened.prepare(SQL.exists).get() === undefined) {
      // Killed before it began, or just before the end.
      close()
      removeDatabase(draft)
    }
  }
  function database(): Connection {
    if (opened === undefined) throw new StorageError({ code: 'closed', file: draft })
    return opened
  }
  function requireFree(): void {
    if (!isThere(dataFile(folder))) return
    throw new MoveError({ kind: 'not_empty', place: folder, table: null })
  }
  function get<State>(name: string): State | undefined {
    return guarded(draft, () => {
      const state = database().prepare(SQL.get).pluck().get(name)
      return state === undefined ? undefined : JSON.parse(String(state))
    })
  }
  const set = (name: string, state: MoveRecord | TableProgress) =>
    database().prepare(SQL.set).run(name, JSON.stringify(state))
  const transaction = (work: () => void) =>
    guarded(draft, () => database().transaction(work).immediate())
  return {
    ...sqliteReader(folder, database),
    record: async () => (opened === undefined ? undefined : get<MoveRecord>(RECORD)),
    async begin(record) {
      requireFree()
      migrateDatabase(draft)
      opened = openDatabase(draft)
      transaction(() => {
        database().exec(SQL.create)
        set(RECORD, record)
      })
    },
    progress: async ({ name }) => get<TableProgress>(name),
    async write(table, rows, progress) {
      if (table.name === 'devices' && Number(rows.at(-1)?.[0] ?? 0) > MAX_DEVICE) {
        throw new MoveError({ kind: 'many_devices', place: folder })
      }
      transaction(() => {
        if (rows.length > 0) store(database(), table, rows)
        set(table.name, progress)
      })
    },
    async finish(given) {
      requireFree()
      transaction(() => {
        for (const name of ['apps', 'channels', 'api_keys', 'audit'] as const) {
          database().prepare(SQL.forgetSequence).run(name)
          database().prepare(SQL.setSequence).run(name, given[name])
        }
        database().prepare(SQL.telemetry).run(given)
        database().prepare(SQL.free).run(given)
        database().exec(SQL.drop)
      })
      close()
      guarded(draft, () => syncFile(draft))
      publishCopy(draft, dataFile(folder))
    },
    async discard() {
      close()
      guarded(draft, () => removeDatabase(draft))
    },
    async close() {
      close()
      lock.release()
    },
  }
}

function store(database: Connection, table: MovedTable, rows: readonly Row[]): void {
  const writes = sqliteWrites(table).map(({ sql, columns }) => {
    const places = columns.map((column) => table.columns.indexOf(column))
    return { statement: database.prepare(sql), places }
  })
  const isCheckIn = table.columns.map((column) => table.checkIns.includes(column))
  // Artifacts come after their release, which otherwise closes them.
  const isClosed = table.name === 'artifacts'
  const trigger = isClosed ? String(database.prepare(SQL.closing).pluck().get()) : ''
  if (isClosed) database.exec('DROP TRIGGER artifacts_closed')
  for (const row of rows) {
    const stored = row.map((value, at) => (isCheckIn[at] ? numberOf(Number(value)) : value))
    for (const { statement, places } of writes) statement.run(places.map((at) => stored[at]))
  }
  database.exec(trigger)
}
