import type { MovedTable } from './tables.ts'

/** A value of a row, as both engines can hold it. */
export type Value = string | number | null
/** The values of a row, in the order of the columns of its table. */
export type Row = readonly Value[]
/** The key of the last row that was read, in the order of the side that reads. */
export type Position = readonly Value[]

/** Numbers that were given out and must not be again: the highest of each kind, 0 for none. */
export interface GivenOut {
  readonly apps: number
  readonly channels: number
  readonly api_keys: number
  readonly audit: number
  readonly profiles: number
  readonly offered_releases: number
  readonly set_aside: number
  readonly devices: number
  /** Without the day that is in the id of a check-in in PostgreSQL. */
  readonly check_ins: number
}

/** Reads one of the two databases of a move. All methods reject with `StorageError`. */
export interface MoveReader {
  /** The place of the database, as people may read it. */
  readonly location: string
  /** The columns of a table without the one that makes a row the only one of its table, and its key. Of SQLite alone. */
  readonly describe?: (table: string) => Pick<MovedTable, 'columns' | 'key'>
  /** Hands out the rows after a position, in the order of the key, in batches of bounded size. */
  read(
    table: MovedTable,
    after: Position | undefined,
    take: (rows: readonly Row[], last: Position) => Promise<void>,
  ): Promise<void>
  count(table: MovedTable): Promise<number>
  /** Devices of each app, by its ref. */
  devices(): Promise<readonly { readonly app: string; readonly devices: number }[]>
  /** Cells of presence that differ from a recount of the devices. */
  miscounted(): Promise<number>
  close(): Promise<void>
}

/** The database that a move copies, which nobody serves meanwhile. */
export interface MoveSource extends MoveReader {
  /** Changes with everything that a server or a command stores. */
  mark(): Promise<string>
  givenOut(): Promise<GivenOut>
}

/** What a move keeps in its target. */
export interface MoveRecord {
  /** The location of the source, and its mark. */
  readonly source: string
  readonly mark: string
  /** Of both engines. */
  readonly schemas: readonly number[]
}

/** How far the copy of a table has come. `last`: none yet; `isDone`: all of it. */
export interface TableProgress {
  readonly rows: number
  readonly last?: Position
  readonly isDone: boolean
}

/** The database that a move fills, and that nobody else opens until the move has ended. */
export interface MoveTarget extends MoveReader {
  /** The record of the move that began here; undefined if none has. */
  record(): Promise<MoveRecord | undefined>
  /** Creates the tables, with the record. Rejects with `MoveError` if anything is stored. */
  begin(record: MoveRecord): Promise<void>
  progress(table: MovedTable): Promise<TableProgress | undefined>
  /** Stores rows and how far the copy has come, all or nothing. */
  write(table: MovedTable, rows: readonly Row[], progress: TableProgress): Promise<void>
  /** Ends the move: the next one who opens the database may serve it. */
  finish(given: GivenOut): Promise<void>
  /** Removes what was moved. */
  discard(): Promise<void>
}
