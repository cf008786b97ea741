import { hash, randomBytes } from 'node:crypto'
import {
  type AttemptStore,
  type Counted,
  retrySecondsOf,
} from '../../../people/sign-in/attempts.ts'
import { KEY_BYTES } from '../../../people/sign-in/sealed.ts'
import type { Held, SignInEntries, SignInState } from '../../../people/sign-in/sign-in-state.ts'
import { StorageError } from '../../interface/storage-error.ts'
import type { Queries } from '../connection/queries.ts'

const SQL = {
  createKey: 'INSERT INTO sign_in_key (one, key) VALUES (1, $1) ON CONFLICT DO NOTHING',
  key: 'SELECT key FROM sign_in_key',
  add: `INSERT INTO sign_in_entries AS known (name, owner, value, until)
    VALUES ($1, $2, $3, statement_timestamp() + $4::float8 * interval '1 millisecond')
    ON CONFLICT (name) DO UPDATE
      SET owner = excluded.owner, value = excluded.value, until = excluded.until
      WHERE known.until <= statement_timestamp()`,
  // Whoever waits for a row would wait in a circle with others: another node deletes it anyway.
  forget: `DELETE FROM sign_in_entries WHERE name IN (
      SELECT name FROM sign_in_entries WHERE until <= statement_timestamp()
      ORDER BY until LIMIT 1000 FOR UPDATE SKIP LOCKED
    )`,
  makeRoom: `DELETE FROM sign_in_entries WHERE name IN (
      SELECT name FROM sign_in_entries WHERE owner = $1 AND name <> $2
      ORDER BY until DESC OFFSET $3::integer - 1 FOR UPDATE SKIP LOCKED
    )`,
  get: 'SELECT value FROM sign_in_entries WHERE name = $1 AND until > statement_timestamp()',
  replace: `UPDATE sign_in_entries SET value = $3,
      until = coalesce(statement_timestamp() + $4::float8 * interval '1 millisecond', until)
    WHERE name = $1 AND value = $2 AND until > statement_timestamp()`,
  remove: 'DELETE FROM sign_in_entries WHERE name = $1',
  held: `SELECT count(*) AS count,
      coalesce(extract(epoch FROM min(until) - statement_timestamp()) * 1000, 0) AS "endsIn"
    FROM sign_in_entries WHERE owner = $1 AND until > statement_timestamp()`,
} as const

/** Returns what sign-ins leave for all nodes, by the clock of the database. Rejects with `StorageError`. */
export function postgresSignInState(queries: Queries): SignInState {
  return {
    entries: entriesIn(queries),
    attempts: attemptsIn(queries),
    async sealingKey() {
      await queries.run(SQL.createKey, [randomBytes(KEY_BYTES).toString('base64')])
      const stored = await queries.row<{ key: string }>(SQL.key)
      const key = Buffer.from(stored?.key ?? '', 'base64')
      if (key.length === KEY_BYTES) return key
      const detail = `sign_in_key has a key of ${key.length} bytes`
      throw new StorageError({ code: 'failed', file: queries.location, detail })
    },
  }
}

function entriesIn(queries: Queries): SignInEntries {
  return {
    async add(name, { value, owner, time, maximum }) {
      await queries.run(SQL.forget)
      if ((await queries.run(SQL.add, [name, owner, value, time])) === 0) return false
      if (maximum !== undefined) await queries.run(SQL.makeRoom, [owner, name, maximum])
      return true
    },
    get: async (name) => (await queries.row<{ value: string }>(SQL.get, [name]))?.value,
    replace: async (name, before, after, time) =>
      (await queries.run(SQL.replace, [name, before, after, time ?? null])) === 1,
    async remove(name) {
      await queries.run(SQL.remove, [name])
    },
    held: async (owner) => (await queries.row<Held>(SQL.held, [owner])) ?? { count: 0, endsIn: 0 },
  }
}

/** Milliseconds between two times that a node deletes what counts no longer. */
const CLEAN_UP_INTERVAL = 60_000
/** Rows that are kept then: with more, what ends first is forgotten. */
const MAX_ROWS = 100_000

/** Whether an attempt is too many. Tolerates rounding by a thousandth of an attempt. */
const IS_REFUSED = `greatest(known.full_at, statement_timestamp())
  + (excluded.full_at - statement_timestamp()) * 0.999
  > statement_timestamp() + excluded.period * interval '1 millisecond'`

const ATTEMPT_SQL = {
  // In the order of their names, so that two nodes never wait for each other.
  take: `INSERT INTO sign_in_attempts AS known (name, full_at, period, refused)
    SELECT name, statement_timestamp() + cost * interval '1 millisecond', period, false
    FROM unnest($1::text[], $2::float8[], $3::float8[]) AS taken (name, cost, period)
    ORDER BY name COLLATE "C"
    ON CONFLICT (name) DO UPDATE SET
      refused = ${IS_REFUSED},
      full_at = CASE WHEN ${IS_REFUSED} THEN known.full_at
        ELSE greatest(known.full_at, statement_timestamp())
          + (excluded.full_at - statement_timestamp()) END
    RETURNING name, refused,
      extract(epoch FROM full_at - statement_timestamp()) * 1000 AS missing`,
  giveBack: `UPDATE sign_in_attempts AS known
    SET full_at = full_at - locked.cost * interval '1 millisecond'
    FROM (
      SELECT name, cost FROM sign_in_attempts
      JOIN unnest($1::text[], $2::float8[]) AS given (name, cost) USING (name)
      ORDER BY name FOR UPDATE OF sign_in_attempts
    ) AS locked
    WHERE known.name = locked.name`,
  forget: `DELETE FROM sign_in_attempts WHERE name IN (
      SELECT name FROM sign_in_attempts
      WHERE name = ANY ($1::text[]) AND full_at <= statement_timestamp()
      FOR UPDATE SKIP LOCKED
    )`,
  cleanUp: `DELETE FROM sign_in_attempts WHERE name IN (
      SELECT name FROM sign_in_attempts WHERE full_at <= statement_timestamp()
      FOR UPDATE SKIP LOCKED
    )`,
  bound: `DELETE FROM sign_in_attempts WHERE name IN (
      SELECT name FROM sign_in_attempts ORDER BY full_at DESC
      OFFSET ${MAX_ROWS} FOR UPDATE SKIP LOCKED
    )`,
} as const

interface Taken {
  readonly name: string
  readonly refused: boolean
  /** Milliseconds until nothing counts any more. */
  readonly missing: number
}

/**
 * Returns attempts that all nodes count, by the clock of the database. An attempt that is refused, or given back, leaves no
 * row of its own: who is refused cannot make the table grow.
 */
function attemptsIn(queries: Queries): AttemptStore {
  let cleanedUpAt = performance.now()
  async function cleanUp(): Promise<void> {
    if (performance.now() - cleanedUpAt < CLEAN_UP_INTERVAL) return
    cleanedUpAt = performance.now()
    await queries.run(ATTEMPT_SQL.cleanUp)
    await queries.run(ATTEMPT_SQL.bound)
  }
  async function giveBack(counted: readonly Counted[]): Promise<void> {
    if (counted.length === 0) return
    const names = counted.map(nameOf)
    await queries.run(ATTEMPT_SQL.giveBack, [names, counted.map(costOf)])
    await queries.run(ATTEMPT_SQL.forget, [names])
  }
  return {
    async take(counted) {
      const rows = await queries.rows<Taken>(ATTEMPT_SQL.take, [
        counted.map(nameOf),
        counted.map(costOf),
        counted.map(({ limit }) => limit.period),
      ])
      const taken = new Map(rows.map((row) => [row.name, row]))
      const refused = counted.find((one) => taken.get(nameOf(one))?.refused)
      if (refused === undefined) {
        await cleanUp()
        return 0
      }
      await giveBack(counted.filter((one) => !taken.get(nameOf(one))?.refused))
      return retrySecondsOf(refused.limit, taken.get(nameOf(refused))?.missing ?? 0)
    },
    giveBack,
  }
}

function nameOf({ limit, key }: Counted): string {
  return `${limit.name}:${hash('sha256', key, 'hex')}`
}

function costOf({ limit }: Counted): number {
  return limit.period / limit.capacity
}
