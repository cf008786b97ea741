import {
  MIGRATIONS,
  type Migration,
  schemaVersion,
} from '../../../src/server/storage/sqlite/migrations/index.ts'
import { prepareDatabase } from '../../../src/server/storage/sqlite/prepare.ts'

/** The number of a migration that is still to come. */
export const NEXT = schemaVersion() + 1

/** All migrations, and one after them. */
export function withNext(sql: string): Migration[] {
  return [...MIGRATIONS, { number: NEXT, name: 'next', sql }]
}

/** Prepares the database of a folder with those migrations. */
export function prepare(folder: string, migrations: readonly Migration[] = MIGRATIONS) {
  return prepareDatabase(folder, { lockHeld: false, migrations })
}
