import type { LeadershipName } from '../../../runtime/cluster/leadership.ts'
import type { PostgresDatabase } from '../connection/database.ts'
import { DedicatedConnection } from './dedicated-connection.ts'
import type { Term } from './leadership.ts'

/** The class of Tidegate's session locks in a database: the bytes of "lead". */
const CLASS = 0x6c656164
/** Milliseconds for one statement, and until a connection must be there. */
const STATEMENT_TIME = 2_000

/** The lock of each task. Nodes of all versions must agree on it. */
const LOCKS: Readonly<Record<LeadershipName, number>> = {
  fleet_jobs: 1,
  backups: 2,
  change_requests: 3,
  outbox: 4,
  proving: 5,
  plans: 6,
  hosting: 7,
}

/**
 * The database ends the session of a node that has lost its power or its network, so that its locks are free: its
 * connection would look open for hours. Longer than the statements of a node that works are apart. No other client may get
 * this session, so the connection must not go through a pooler that shares sessions between transactions.
 */
const SET_UP = `SET idle_session_timeout = 5000; SET lock_timeout = 1000;
  SET tcp_keepalives_idle = 2; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 3;
  SET tcp_user_timeout = 5000`

const SQL = {
  try: `SELECT lock FROM unnest($2::integer[]) AS lock WHERE pg_try_advisory_lock($1, lock)`,
  unlock: 'SELECT pg_advisory_unlock($1, $2)',
  begin: `INSERT INTO leaders AS present (name, node, term) VALUES ($1, $2, 1)
    ON CONFLICT (name) DO UPDATE SET node = excluded.node, term = present.term + 1
    RETURNING node, term`,
} as const

/** The session locks of a node, on one connection of its own: a lock is held for as long as that lives. */
export class LeaderLocks {
  readonly #connection: DedicatedConnection

  /** `onLost`: the connection was lost, and every lock with it. */
  constructor(database: PostgresDatabase, onLost: () => void) {
    this.#connection = new DedicatedConnection(database, { setUp: SET_UP, onLost })
  }

  /** Locks that were taken are held. */
  get isOpen(): boolean {
    return this.#connection.isOpen
  }

  /** Takes those that nobody holds, and returns them. They must not be held already. With none, asks for an answer. */
  async take(names: readonly LeadershipName[]): Promise<LeadershipName[]> {
    await this.#connection.open(STATEMENT_TIME)
    const wanted = names.map((name) => LOCKS[name])
    const taken = await this.#ask<{ lock: number }>(SQL.try, [CLASS, wanted])
    return names.filter((name) => taken.some(({ lock }) => lock === LOCKS[name]))
  }

  /** Begins a term with a lock that was just taken. Rejects while a transaction of the last leader goes on. */
  async begin(name: LeadershipName, node: number): Promise<Term> {
    const [term] = await this.#ask<Term>(SQL.begin, [name, node])
    if (term === undefined) throw new Error('no term')
    return term
  }

  /** Gives a lock back. Without a connection there is none. */
  async release(name: LeadershipName): Promise<void> {
    if (this.#connection.isOpen) await this.#ask(SQL.unlock, [CLASS, LOCKS[name]])
  }

  /** Gives back all locks. `take` connects again. */
  close(): void {
    this.#connection.close()
  }

  #ask<Row>(statement: string, values: readonly unknown[]): Promise<Row[]> {
    return this.#connection.ask<Row>(statement, values, STATEMENT_TIME)
  }
}
