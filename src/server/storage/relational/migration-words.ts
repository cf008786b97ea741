/** Where the definitions of tables differ between SQLite and PostgreSQL. */
interface Words {
  /** The type of a text that is compared by its bytes. */
  readonly bytewise: string
  /** The type of a count that can pass 2^31. */
  readonly big: string
  readonly real: string
  /** The condition that the text in a column is JSON, where the engine can check it. */
  json(column: string): string
  /** What ends the definition of a table; `rowless` where its primary key is its place. */
  readonly strict: string
  readonly rowless: string
  /** What follows a reference to rows that are deleted before those that name them. */
  readonly deferred: string
  /** What only one of the two needs. */
  either(sqlite: string, postgres: string): string
}

export type Engine = 'sqlite' | 'postgres'

export const WORDS: Readonly<Record<Engine, Words>> = {
  sqlite: {
    ...{ bytewise: 'TEXT', big: 'INTEGER', real: 'REAL' },
    json: (column) => `CHECK (json_valid(${column}))`,
    ...{ strict: ' STRICT', rowless: ' STRICT, WITHOUT ROWID', deferred: '' },
    either: (sqlite) => sqlite,
  },
  postgres: {
    ...{ bytewise: 'TEXT COLLATE "C"', big: 'BIGINT', real: 'DOUBLE PRECISION' },
    json: () => '',
    ...{ strict: '', rowless: '', deferred: ' DEFERRABLE INITIALLY DEFERRED' },
    either: (_, postgres) => postgres,
  },
}

/** A change that both engines make. */
export interface SharedMigration {
  readonly name: string
  /** Its place in the series of each engine, where migrations of devices and nodes lie between. */
  readonly numbers: Readonly<Record<Engine, number>>
  sql(words: Words): string
}
