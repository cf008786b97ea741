import { randomBytes } from 'node:crypto'
import { KEY_BYTES } from '../../../people/sign-in/sealed.ts'
import type {
  Held,
  NewEntry,
  SignInEntries,
  SignInState,
} from '../../../people/sign-in/sign-in-state.ts'
import { StorageError } from '../../interface/storage-error.ts'
import type { Queries } from '../connection/database.ts'
import { PostgresAttempts } from './attempts.ts'

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

/** What sign-ins leave for all nodes, by the clock of the database. Rejects with `StorageError`. */
export class PostgresSignInState implements SignInState {
  readonly entries: SignInEntries
  readonly attempts: PostgresAttempts
  readonly #queries: Queries

  constructor(queries: Queries) {
    this.#queries = queries
    this.entries = new PostgresEntries(queries)
    this.attempts = new PostgresAttempts(queries)
  }

  async sealingKey(): Promise<Buffer> {
    await this.#queries.run(SQL.createKey, [randomBytes(KEY_BYTES).toString('base64')])
    const stored = await this.#queries.row<{ key: string }>(SQL.key)
    const key = Buffer.from(stored?.key ?? '', 'base64')
    if (key.length === KEY_BYTES) return key
    const detail = `sign_in_key has a key of ${key.length} bytes`
    throw new StorageError({ code: 'failed', file: this.#queries.location, detail })
  }
}

class PostgresEntries implements SignInEntries {
  readonly #queries: Queries

  constructor(queries: Queries) {
    this.#queries = queries
  }

  async add(name: string, { value, owner, time, maximum }: NewEntry): Promise<boolean> {
    await this.#queries.run(SQL.forget)
    if ((await this.#queries.run(SQL.add, [name, owner, value, time])) === 0) return false
    if (maximum !== undefined) await this.#queries.run(SQL.makeRoom, [owner, name, maximum])
    return true
  }

  async get(name: string): Promise<string | undefined> {
    return (await this.#queries.row<{ value: string }>(SQL.get, [name]))?.value
  }

  async replace(name: string, before: string, after: string, time?: number): Promise<boolean> {
    return (await this.#queries.run(SQL.replace, [name, before, after, time ?? null])) === 1
  }

  async remove(name: string): Promise<void> {
    await this.#queries.run(SQL.remove, [name])
  }

  async held(owner: string): Promise<Held> {
    return (await this.#queries.row<Held>(SQL.held, [owner])) ?? { count: 0, endsIn: 0 }
  }
}
