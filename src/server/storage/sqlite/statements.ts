import type Database from 'better-sqlite3'

export type Statement = Database.Statement<unknown[]>

/** Prepares every statement of a store once, under its name. */
export function prepareAll<Name extends string>(
  database: Database.Database,
  sql: Readonly<Record<Name, string>>,
): Readonly<Record<Name, Statement>> {
  const prepared: Partial<Record<Name, Statement>> = {}
  for (const name in sql) prepared[name] = database.prepare(sql[name])
  return prepared as Record<Name, Statement>
}
