import { catalog } from './0001-catalog.ts'
import { fleet } from './0002-fleet.ts'
import { removal } from './0003-removal.ts'
import { history } from './0004-history.ts'
import { audit } from './0005-audit.ts'
import { profileUse } from './0006-profile-use.ts'
import { deviceLimits } from './0007-device-limits.ts'
import { people } from './0008-people.ts'
import { approvals } from './0009-approvals.ts'

/** A step forward of the schema. The only way back is a copy of the file. */
export interface Migration {
  /** The `user_version` of a database that has it: 1 for the first, without gaps. */
  readonly number: number
  readonly name: string
  readonly sql: string
}

/** Every migration, in order. Never edit one that was released. */
export const MIGRATIONS: readonly Migration[] = [
  catalog,
  fleet,
  removal,
  history,
  audit,
  profileUse,
  deviceLimits,
  people,
  approvals,
]

/** The version of the schema after all `migrations`. */
export function schemaVersion(migrations: readonly Migration[] = MIGRATIONS): number {
  return migrations.at(-1)?.number ?? 0
}
