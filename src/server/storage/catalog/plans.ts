import type { PlanStatus } from '../../../shared/plan.ts'
import type { PlanOfRelease, PlanRecord } from '../../catalog/plan-record.ts'
import { selected } from '../columns/columns.ts'
import {
  INSERT_PLAN,
  PLAN,
  type PlanOfReleaseRow,
  type PlanRow,
  planParameters,
  toPlan,
} from '../columns/plan-columns.ts'
import type { Connection } from '../sqlite/database.ts'

const SQL = {
  one: `SELECT ${selected(PLAN)} FROM plans WHERE release_id = ?`,
  byStatus: `SELECT ${selected(PLAN, 'p')}, r.channel_key AS channelKey, r.version AS version
    FROM plans p JOIN releases r ON r.id = p.release_id
    WHERE p.status IN (SELECT value FROM json_each(?)) ORDER BY r.created_at, r.id`,
  put: INSERT_PLAN.replace('INSERT', 'INSERT OR REPLACE'),
  remove: 'DELETE FROM plans WHERE release_id = ?',
} as const

/** Queries of the plans on one connection, synchronous. */
export class PlanReader {
  readonly one: (releaseId: string) => PlanRecord | undefined
  readonly byStatus: (statuses: readonly PlanStatus[]) => PlanOfRelease[]

  constructor(database: Connection) {
    const one = database.prepare<[string], PlanRow>(SQL.one)
    const byStatus = database.prepare<[string], PlanOfReleaseRow>(SQL.byStatus)
    this.one = (releaseId) => {
      const row = one.get(releaseId)
      return row && toPlan(row)
    }
    this.byStatus = (statuses) => byStatus.all(JSON.stringify(statuses)).map(toPlan)
  }
}

/** The writes of the plans, synchronous, inside a transaction that the caller has begun. */
export class PlanWriter {
  readonly put: (plan: PlanRecord) => void
  /** Returns whether there was one. */
  readonly remove: (releaseId: string) => boolean

  constructor(database: Connection) {
    const put = database.prepare<[PlanRow]>(SQL.put)
    const remove = database.prepare<[string]>(SQL.remove)
    this.put = (plan) => {
      put.run(planParameters(plan))
    }
    this.remove = (releaseId) => remove.run(releaseId).changes === 1
  }
}
