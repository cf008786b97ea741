import type { LeaderFacts, LeadershipName } from '../../../cluster/leadership.ts'
import type { PostgresDatabase } from '../connection/database.ts'
import type { PostgresLeadership } from './leadership.ts'

const SQL = {
  read: 'SELECT facts FROM leader_facts WHERE task = $1',
  write: `INSERT INTO leader_facts (task, facts) VALUES ($1, $2)
    ON CONFLICT (task) DO UPDATE SET facts = excluded.facts`,
} as const

/** What leaders tell all nodes, in PostgreSQL. */
export class PostgresLeaderFacts implements LeaderFacts {
  readonly #database: PostgresDatabase
  readonly #leadership: (task: LeadershipName) => Pick<PostgresLeadership, 'assertLeads'>

  constructor(
    database: PostgresDatabase,
    leadership: (task: LeadershipName) => Pick<PostgresLeadership, 'assertLeads'>,
  ) {
    this.#database = database
    this.#leadership = leadership
  }

  async read(task: LeadershipName): Promise<string | null> {
    return (await this.#database.row<{ facts: string }>(SQL.read, [task]))?.facts ?? null
  }

  async write(task: LeadershipName, facts: string): Promise<void> {
    await this.#database.transaction(async (tx) => {
      await this.#leadership(task).assertLeads(tx)
      await tx.run(SQL.write, [task, facts])
    })
  }
}
