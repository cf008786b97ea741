import { transactionEnded } from '../../interface/storage-error.ts'
import type { Dialect, Questions, Statements } from '../../relational/statements.ts'
import type { PostgresDatabase } from '../connection/database.ts'
import { isUniqueBreach } from '../connection/errors.ts'
import type { Queries, Transaction } from '../connection/queries.ts'
import { jsonFromStored } from '../connection/text.ts'
import { raiseRevision } from './parts.ts'

/** A transaction until its end: no statement is sent after that. */
export function openTransaction(tx: Transaction): { open: Transaction; end(): void } {
  let isEnded = false
  const current = () => {
    if (isEnded) throw transactionEnded(tx.location)
    return tx
  }
  const open: Transaction = {
    location: tx.location,
    rows: async (statement, parameters) => current().rows(statement, parameters),
    row: async (statement, parameters) => current().row(statement, parameters),
    run: async (statement, parameters) => current().run(statement, parameters),
    attempt: async (work) => current().attempt(work),
  }
  const end = () => {
    isEnded = true
  }
  return { open, end }
}

/** Returns the statements of a transaction as both engines have them. */
export function statementsOf(tx: Transaction): Statements {
  const statements: Statements = {
    ...asked(() => tx),
    location: tx.location,
    written: (sql, parameters) => tx.row(sql, { ...parameters }),
    run: (sql, parameters) => tx.run(sql, { ...parameters }),
    atOnce: (question) => question(statements),
    attempt: (work) => tx.attempt(work),
    raise: (part) => raiseRevision(tx, part),
  }
  return statements
}

/** Returns the questions to what is committed. `refuseClosed`: throws after the end of the store. */
export function questionsTo(database: PostgresDatabase, refuseClosed: () => void): Questions {
  const current = () => {
    refuseClosed()
    return database
  }
  return {
    ...asked(current),
    location: database.location,
    atOnce: async (question) =>
      current().transaction((tx) => question(statementsOf(tx)), { snapshot: true }),
  }
}

function asked(current: () => Queries): Pick<Questions, 'dialect' | 'rows' | 'row'> {
  return {
    dialect: POSTGRES,
    rows: async (sql, parameters) => current().rows(sql, { ...parameters }),
    row: async (sql, parameters) => current().row(sql, { ...parameters }),
  }
}

/** The SQL of PostgreSQL. Lists are parameters as arrays. */
const POSTGRES: Dialect = {
  keepsTexts: true,
  auditById: 'FROM audit',
  oneOf: (value, list, type) => `${value} = ANY (@${list}::${type}[])`,
  rowsOf(list, members) {
    const arrays = Object.entries(members).map(([member, type]) => `@${list}.${member}::${type}[]`)
    const columns = Object.keys(members).map((member) => `"${member}"`)
    return `unnest(${arrays.join(', ')}) AS ${list} (${columns.join(', ')})`
  },
  // Under "C", only the letters of ASCII have two cases.
  like: (text, pattern) => `${text} COLLATE "C" ILIKE ${pattern}`,
  head: (text) => `split_part(${text}, '.', 1)`,
  bytewise: (text) => `${text} COLLATE "C"`,
  jsonOf(members, order) {
    const pairs = Object.entries(members).map(([member, sql]) => `'${member}', ${sql}`)
    return `coalesce(json_agg(json_build_object(${pairs.join(', ')}) ORDER BY ${order}), '[]')`
  },
  parse: jsonFromStored,
  isUniqueBreach,
}
