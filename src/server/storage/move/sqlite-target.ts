import { isThere, MOVING, removeDatabase, syncFile } from '../data-folder/folder.ts'
import { type FolderLock, lockDataFolder } from '../data-folder/lock.ts'
import { MoveError } from '../interface/moves.ts'
import { StorageError } from '../interface/storage-error.ts'
import { publishCopy } from '../sqlite/backup/copy.ts'
import { type Connection, dataFile, openDatabase } from '../sqlite/database.ts'
import { guarded } from '../sqlite/errors.ts'
import { migrateDatabase } from '../sqlite/migrate.ts'
import { numberOf } from './differences.ts'
import type { GivenOut, MoveRecord, MoveTarget, Row, TableProgress } from './side.ts'
import { SqliteReader } from './sqlite-reader.ts'
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
 * A data folder that is filled, under another name than that of a database: a server that finds it refuses to start. The
 * last step gives it its name.
 */
export class SqliteTarget extends SqliteReader implements MoveTarget {
  readonly #lock: FolderLock
  readonly #draft: string
  #database: Connection | undefined

  /** Throws `StorageError` `locked` if a server or another move holds the folder. */
  static open(folder: string): SqliteTarget {
    const lock = lockDataFolder(folder)
    try {
      return new SqliteTarget(folder, lock)
    } catch (error) {
      lock.release()
      throw error
    }
  }

  private constructor(folder: string, lock: FolderLock) {
    super(folder)
    this.#lock = lock
    this.#draft = dataFile(folder) + MOVING
    if (!isThere(this.#draft)) return
    this.#database = openDatabase(this.#draft)
    if (this.#database.prepare(SQL.exists).get() !== undefined) return
    // Killed before it began, or just before the end.
    this.#close()
    removeDatabase(this.#draft)
  }

  protected get database(): Connection {
    if (this.#database === undefined) throw new StorageError({ code: 'closed', file: this.#draft })
    return this.#database
  }

  async record(): Promise<MoveRecord | undefined> {
    return this.#database === undefined ? undefined : this.#get<MoveRecord>(RECORD)
  }

  async begin(record: MoveRecord): Promise<void> {
    this.#requireFree()
    migrateDatabase(this.#draft)
    this.#database = openDatabase(this.#draft)
    this.#transaction(() => {
      this.database.exec(SQL.create)
      this.#set(RECORD, record)
    })
  }

  async progress({ name }: MovedTable): Promise<TableProgress | undefined> {
    return this.#get<TableProgress>(name)
  }

  async write(table: MovedTable, rows: readonly Row[], progress: TableProgress): Promise<void> {
    if (table.name === 'devices' && Number(rows.at(-1)?.[0] ?? 0) > MAX_DEVICE) {
      throw new MoveError({ kind: 'many_devices', place: this.location })
    }
    this.#transaction(() => {
      if (rows.length > 0) this.#openFor(table, () => this.#store(table, rows))
      this.#set(table.name, progress)
    })
  }

  async finish(given: GivenOut): Promise<void> {
    this.#requireFree()
    this.#transaction(() => {
      for (const name of ['apps', 'channels', 'api_keys', 'audit'] as const) {
        this.database.prepare(SQL.forgetSequence).run(name)
        this.database.prepare(SQL.setSequence).run(name, given[name])
      }
      this.database.prepare(SQL.telemetry).run(given)
      this.database.prepare(SQL.free).run(given)
      this.database.exec(SQL.drop)
    })
    this.#close()
    guarded(this.#draft, () => syncFile(this.#draft))
    publishCopy(this.#draft, dataFile(this.location))
  }

  async discard(): Promise<void> {
    this.#close()
    guarded(this.#draft, () => removeDatabase(this.#draft))
  }

  async close(): Promise<void> {
    this.#close()
    this.#lock.release()
  }

  #store(table: MovedTable, rows: readonly Row[]): void {
    const writes = sqliteWrites(table).map(({ sql, columns }) => {
      const places = columns.map((column) => table.columns.indexOf(column))
      return { statement: this.database.prepare(sql), places }
    })
    const isCheckIn = table.columns.map((column) => table.checkIns.includes(column))
    for (const row of rows) {
      const stored = row.map((value, at) => (isCheckIn[at] ? numberOf(Number(value)) : value))
      for (const { statement, places } of writes) statement.run(places.map((at) => stored[at]))
    }
  }

  /** Artifacts come after their release, which otherwise closes them. */
  #openFor({ name }: MovedTable, work: () => void): void {
    if (name !== 'artifacts') {
      work()
      return
    }
    const trigger = String(this.database.prepare(SQL.closing).pluck().get())
    this.database.exec('DROP TRIGGER artifacts_closed')
    work()
    this.database.exec(trigger)
  }

  #requireFree(): void {
    if (!isThere(dataFile(this.location))) return
    throw new MoveError({ kind: 'not_empty', place: this.location, table: null })
  }

  #get<State>(name: string): State | undefined {
    return guarded(this.#draft, () => {
      const state = this.database.prepare(SQL.get).pluck().get(name)
      return state === undefined ? undefined : JSON.parse(String(state))
    })
  }

  #set(name: string, state: MoveRecord | TableProgress): void {
    this.database.prepare(SQL.set).run(name, JSON.stringify(state))
  }

  #transaction(work: () => void): void {
    guarded(this.#draft, () => this.database.transaction(work).immediate())
  }

  #close(): void {
    this.#database?.close()
    this.#database = undefined
  }
}
