import type Database from 'better-sqlite3'
import { guarded, isUniqueBreach } from '../data-folder/errors.ts'
import { storeClosed, transactionEnded } from '../interface/storage-error.ts'
import type { Dialect, Parameters, Statements } from '../relational/statements.ts'
import type { Connection } from './database.ts'

/** The SQL of SQLite. Lists are parameters as JSON. */
export const SQLITE: Dialect = {
  keepsTexts: false,
  // By default, SQLite would use the index of a release's history and scan the entire app. By id, a span costs
  // only its own entries, whatever the filter is.
  auditById: 'FROM audit NOT INDEXED',
  oneOf: (value, list) => `${value} IN (SELECT value FROM json_each(@${list}))`,
  rowsOf(list, members) {
    const columns = Object.keys(members).map((member) => `value ->> '${member}' AS "${member}"`)
    return `(SELECT ${columns.join(', ')} FROM json_each(@${list})) AS ${list}`
  },
  like: (text, pattern) => `${text} LIKE ${pattern} ESCAPE '\\'`,
  head: (text) => `substr(${text}, 1, instr(${text}, '.') - 1)`,
  bytewise: (text) => text,
  jsonOf(members, order) {
    const pairs = Object.entries(members).map(([member, sql]) => `'${member}', ${sql}`)
    return `json_group_array(json_object(${pairs.join(', ')}) ORDER BY ${order})`
  },
  parse: (json) => json,
  isUniqueBreach,
}

/** Most statements that a connection keeps prepared. */
const MOST_PREPARED = 200

/** Only the caller knows the type of a row. */
type Statement = Database.Statement<unknown[], never>

/** What is asked on one connection, synchronous. Throws `StorageError`. */
export class PreparedStatements {
  readonly location: string
  readonly #database: Connection
  readonly #prepared = new Map<string, Statement>()

  constructor(database: Connection) {
    this.location = database.name
    this.#database = database
  }

  rows<Row>(sql: string, parameters?: Parameters): Row[] {
    return this.#ask(() => this.#prepare(sql).all(...boundOf(parameters)))
  }

  row<Row>(sql: string, parameters?: Parameters): Row | undefined {
    return this.#ask(() => this.#prepare(sql).get(...boundOf(parameters)))
  }

  /** Returns how many rows were written. */
  run(sql: string, parameters?: Parameters): number {
    return this.#ask(() => this.#prepare(sql).run(...boundOf(parameters)).changes)
  }

  /** Runs statements that are not worth keeping. */
  execute(sql: string): void {
    this.#ask(() => this.#database.exec(sql))
  }

  #ask<T>(question: () => T): T {
    if (!this.#database.open) throw storeClosed(this.location)
    return guarded(this.location, question)
  }

  #prepare(sql: string): Statement {
    const known = this.#prepared.get(sql)
    if (known !== undefined) return known
    // With other words for each filter, there is no end of them.
    if (this.#prepared.size >= MOST_PREPARED) this.#prepared.clear()
    const statement = this.#database.prepare<unknown[], never>(sql)
    this.#prepared.set(sql, statement)
    return statement
  }
}

/** The statements of the transactions on a connection. Outside of one, each rejects with `closed`. */
export function transactionStatements(database: Connection): Statements {
  const prepared = new PreparedStatements(database)
  // A full disk ends a transaction by itself; the next write would then stand alone.
  const inTransaction = () => {
    if (database.inTransaction || !database.open) return prepared
    throw transactionEnded(database.name)
  }
  const row = async <Row>(sql: string, parameters?: Parameters) =>
    inTransaction().row<Row>(sql, parameters)
  const statements: Statements = {
    dialect: SQLITE,
    location: database.name,
    rows: async (sql, parameters) => inTransaction().rows(sql, parameters),
    row,
    written: row,
    run: async (sql, parameters) => inTransaction().run(sql, parameters),
    atOnce: (question) => question(statements),
    async attempt(work) {
      inTransaction().execute('SAVEPOINT attempt')
      try {
        const result = await work()
        inTransaction().execute('RELEASE attempt')
        return result
      } catch (error) {
        if (database.inTransaction) prepared.execute('ROLLBACK TO attempt; RELEASE attempt')
        throw error
      }
    },
    async raise(part) {
      const sql = `UPDATE ${part}_state SET revision = revision + 1 RETURNING revision`
      return inTransaction().row<{ revision: number }>(sql)?.revision ?? 0
    },
  }
  return statements
}

/** Values as SQLite takes them: lists as JSON. */
function boundOf(parameters: Parameters | undefined): unknown[] {
  if (parameters === undefined) return []
  if (!Object.values(parameters).some(Array.isArray)) return [parameters]
  const values = Object.entries(parameters).map(([name, value]) => [
    name,
    Array.isArray(value) ? JSON.stringify(value) : value,
  ])
  return [Object.fromEntries(values)]
}
