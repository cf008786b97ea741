import { withShared } from '../../relational/migrations.ts'
import { catalog } from './0001-catalog.ts'
import { from2to3 } from './0002-to-0003.ts'
import { fleet } from './0004-fleet.ts'
import { from5to10 } from './0005-to-0010.ts'
import { from11to25 } from './0011-to-0025.ts'

/** A change of the schema, applied once, in one transaction. */
export interface Migration {
  readonly number: number
  readonly name: string
  /**
   * The newest migration that a program must know at least to work with a database that has this one. Left out for what only
   * adds, so that nodes of the version before go on while others are upgraded.
   */
  readonly readableFrom?: number
  readonly sql: string
}

/** In their order, without a gap. */
export const MIGRATIONS: readonly Migration[] = withShared<Migration>('postgres', [
  catalog,
  ...from2to3,
  fleet,
  ...from5to10,
  ...from11to25,
])

/** The newest migration of this program. */
export const SCHEMA = MIGRATIONS.length
