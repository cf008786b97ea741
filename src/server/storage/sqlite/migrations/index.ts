import { withShared } from '../../relational/migrations.ts'
import { catalog } from './0001-catalog.ts'
import { from2to6 } from './0002-to-0006.ts'
import { from7to8 } from './0007-to-0008.ts'
import { from9to13 } from './0009-to-0013.ts'
import { from14to23 } from './0014-to-0023.ts'

/** A step forward of the schema. The only way back is a copy of the file. */
export interface Migration {
  /** The `user_version` of a database that has it: 1 for the first, without gaps. */
  readonly number: number
  readonly name: string
  readonly sql: string
}

/**
 * Every migration, in order. Never edit one that was released. Before you add one, run
 * `npx node test/server/storage/upgrade/make-fixtures.ts`, which keeps a database of the schema before it.
 */
export const MIGRATIONS: readonly Migration[] = withShared('sqlite', [
  catalog,
  ...from2to6,
  ...from7to8,
  ...from9to13,
  ...from14to23,
])

/** The version of the schema after all `migrations`. */
export function schemaVersion(migrations: readonly Migration[] = MIGRATIONS): number {
  return migrations.at(-1)?.number ?? 0
}
