import { StorageError } from '../../interface/storage-error.ts'
import type { Queries } from '../connection/queries.ts'
import { SCHEMA } from './index.ts'
import { refuseMoving } from './move-lock.ts'

/** The oldest version of PostgreSQL that is supported. */
export const OLDEST = 15
/** The number that stands for it in `server_version_num`. */
const OLDEST_NUMBER = OLDEST * 10_000

const SQL = {
  // What an extension has brought belongs to nobody.
  facts: `SELECT current_setting('server_version') AS version,
      current_setting('server_version_num')::integer AS "versionNumber",
      current_setting('server_encoding') AS encoding,
      coalesce(current_schema()::text, '') AS schema,
      to_regclass('tidegate_schema') IS NOT NULL AS own,
      EXISTS (
        SELECT FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
        WHERE nspname = current_schema() AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
          AND NOT EXISTS (
            SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid
              AND deptype = 'e'
          )
      ) AS "isFilled"`,
  state: `SELECT coalesce(max(number), 0) AS number, coalesce(max(readable_from), 0) AS "readableFrom"
    FROM tidegate_schema`,
} as const

/** What decides whether a database can be used. */
export interface DatabaseFacts {
  readonly version: string
  /** Such as 150004 for 15.4. */
  readonly versionNumber: number
  readonly encoding: string
  /** In which tables are created; empty for none. */
  readonly schema: string
  /** It has the tables of this program. */
  readonly own: boolean
  /** It has tables. */
  readonly isFilled: boolean
}

/** The migrations of a database. */
export interface SchemaState {
  /** The newest migration; 0 if there is none. */
  readonly number: number
  /** What a program must know at least. */
  readonly readableFrom: number
}

/** Reads what decides whether a database can be used. Rejects with `StorageError`. */
export async function databaseFacts(queries: Queries): Promise<DatabaseFacts> {
  const facts = await queries.row<DatabaseFacts>(SQL.facts)
  if (facts === undefined) throw new Error('the database described nothing')
  return facts
}

/** Returns why a database cannot be used, whatever its schema is. `location`: see `locationOf`. */
export function unusable(facts: DatabaseFacts, location: string): StorageError | undefined {
  const { version: found, versionNumber, encoding, schema, own, isFilled } = facts
  const refused = { code: 'unsupported', file: location } as const
  if (versionNumber < OLDEST_NUMBER) {
    const circumstance = { kind: 'server_version', found, needed: OLDEST } as const
    return new StorageError({ ...refused, circumstance })
  }
  if (encoding !== 'UTF8') {
    return new StorageError({ ...refused, circumstance: { kind: 'encoding', found: encoding } })
  }
  if (own || !isFilled) return undefined
  const circumstance = { kind: 'other_tables', schema } as const
  return new StorageError({ code: 'foreign_database', file: location, circumstance })
}

/**
 * Returns what is applied to a database. Rejects with `StorageError` if it cannot be used: `unsupported` for an old server
 * or an encoding, `foreign_database` for tables of another program, `newer_database` if it needs a program that knows more
 * migrations than `known`, `moving` if a move that fills it has not ended.
 */
export async function usableState(queries: Queries, known = SCHEMA): Promise<SchemaState> {
  const facts = await databaseFacts(queries)
  const problem = unusable(facts, queries.location)
  if (problem !== undefined) throw problem
  const none = { number: 0, readableFrom: 0 }
  if (!facts.own) return none
  const state = (await queries.row<SchemaState>(SQL.state)) ?? none
  await refuseMoving(queries)
  if (state.readableFrom <= known) return state
  throw new StorageError({
    code: 'newer_database',
    file: queries.location,
    circumstance: { kind: 'schema', found: state.readableFrom, known },
  })
}
