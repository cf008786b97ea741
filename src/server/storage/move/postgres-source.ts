import { MoveError } from '../interface/moves.ts'
import type { PostgresDatabase } from '../postgres/connection/database.ts'
import type { Queries } from '../postgres/connection/queries.ts'
import { lastCheckInOf, lastDeviceOf } from '../postgres/fleet/ingest/id-blocks.ts'
import { SCHEMA } from '../postgres/migrations/index.ts'
import { usableState } from '../postgres/migrations/usable-state.ts'
import { cleanUpNodes } from '../postgres/nodes/registration.ts'
import { numberOf } from './differences.ts'
import { openHeld, postgresReader } from './postgres-reader.ts'
import { IDENTITIES, lastValue } from './postgres-tables.ts'
import type { GivenOut, MoveSource } from './side.ts'

const NODES = 'SELECT name FROM nodes WHERE ended_at IS NULL ORDER BY id'

const SEQUENCES = [
  ...IDENTITIES,
  { name: 'nodes', sequence: "pg_get_serial_sequence('nodes', 'id')" },
]

/** Everything that grows with a write. */
const MARK = `SELECT (SELECT revision FROM catalog_state) AS catalog,
  (SELECT revision FROM people_state) AS people, (SELECT revision FROM outbox_state) AS outbox,
  (SELECT max(last_used_at) FROM sessions) AS sessions,
  ${SEQUENCES.map(({ name, sequence }) => `${lastValue(sequence)} AS ${name}`).join(', ')}`

const GIVEN_OUT = `SELECT
  ${IDENTITIES.map(({ name, sequence }) => `${lastValue(sequence)} AS ${name}`).join(', ')}`

/**
 * Opens a PostgreSQL database that is copied. No node can join it meanwhile. Rejects with `MoveError` `no_source`,
 * `older_source` or `in_use`, and with `StorageError` if the database cannot be used.
 */
export function openPostgresSource(url: string): Promise<MoveSource> {
  return openHeld(url, async (database, holder) => {
    await requireCurrent(database)
    await requireUnused(database)
    return {
      ...postgresReader(database, holder),
      mark: async () => JSON.stringify(await database.row(MARK)),
      async givenOut() {
        const given = await database.row<GivenOut>(GIVEN_OUT)
        if (given === undefined) throw new Error('no row')
        const { devices, check_ins: checkIns } = given
        const last = {
          devices: lastDeviceOf(devices),
          check_ins: numberOf(lastCheckInOf(checkIns)),
        }
        return { ...given, ...last }
      },
    }
  })
}

async function requireCurrent(database: PostgresDatabase): Promise<void> {
  const { number: found } = await usableState(database)
  const place = database.location
  if (found === 0) throw new MoveError({ kind: 'no_source', place })
  const needed = SCHEMA
  if (found < needed) throw new MoveError({ kind: 'older_source', place, found, needed })
}

/** Rejects with `MoveError` `in_use` while nodes have not ended. One that was killed has, after a minute. */
export async function requireUnused(queries: Queries): Promise<void> {
  await cleanUpNodes(queries)
  const rows = await queries.rows<{ name: string }>(NODES)
  if (rows.length === 0) return
  const nodes = rows.map(({ name }) => name)
  throw new MoveError({ kind: 'in_use', place: queries.location, nodes })
}
