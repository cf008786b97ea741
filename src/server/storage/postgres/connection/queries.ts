import type { NamedStatement, Parameters } from './statements.ts'

/**
 * Statements on one connection or on any. `parameters`: an array for `$1` and so on, or an object for a statement of
 * `named`. Each rejects with `StorageError`. Rows have `bigint` and `numeric` as numbers, and JSON as text. Texts may
 * contain U+0000: see `toStored`.
 */
export interface Queries {
  /** What people read as the place of the database. */
  readonly location: string
  rows<Row>(statement: string | NamedStatement, parameters?: Parameters): Promise<Row[]>
  /** The first row. */
  row<Row>(statement: string | NamedStatement, parameters?: Parameters): Promise<Row | undefined>
  /** Returns how many rows were written. */
  run(statement: string | NamedStatement, parameters?: Parameters): Promise<number>
}

/** Statements of one transaction. */
export interface Transaction extends Queries {
  /** Runs `work` so that what it wrote is undone when it rejects, and the transaction goes on. */
  attempt<T>(work: () => Promise<T>): Promise<T>
}

export interface TransactionOptions {
  /** Milliseconds that a statement waits for a lock; 5 s by default. */
  readonly lockTime?: number | undefined
  /** Milliseconds after which the client gives up on a statement; by default, those of the database. */
  readonly queryTime?: number | undefined
  /** One snapshot for all statements, which only read. */
  readonly snapshot?: boolean | undefined
  /** Finds rows by index alone: of some 100,000 rows, PostgreSQL else reads all to find 1,000. */
  readonly byIndex?: boolean | undefined
}
