import type { PlanStatus } from '../../../../shared/plan.ts'
import type { PlanOfRelease, PlanRecord } from '../../../catalog/plan-record.ts'
import { selected } from '../../columns/columns.ts'
import {
  PLAN,
  type PlanOfReleaseRow,
  type PlanRow,
  planParameters,
  toPlan,
} from '../../columns/plan-columns.ts'
import type { Queries } from '../connection/database.ts'
import { replaceIn } from '../connection/statements.ts'

const SQL = {
  one: `SELECT ${selected(PLAN)} FROM plans WHERE release_id = $1`,
  byStatus: `SELECT ${selected(PLAN, 'p')}, r.channel_key AS "channelKey", r.version AS version
    FROM plans p JOIN releases r ON r.id = p.release_id
    WHERE p.status = ANY ($1::text[]) ORDER BY r.created_at, r.id`,
  put: replaceIn('plans', PLAN, 'release_id'),
  remove: 'DELETE FROM plans WHERE release_id = $1',
} as const

export async function planOf(queries: Queries, releaseId: string): Promise<PlanRecord | undefined> {
  const row = await queries.row<PlanRow>(SQL.one, [releaseId])
  return row && toPlan(row)
}

export async function plansByStatus(
  queries: Queries,
  statuses: readonly PlanStatus[],
): Promise<PlanOfRelease[]> {
  return (await queries.rows<PlanOfReleaseRow>(SQL.byStatus, [statuses])).map(toPlan)
}

export async function putPlan(tx: Queries, plan: PlanRecord): Promise<void> {
  await tx.run(SQL.put, { ...planParameters(plan) })
}

/** Returns whether there was one. */
export async function removePlan(tx: Queries, releaseId: string): Promise<boolean> {
  return (await tx.run(SQL.remove, [releaseId])) === 1
}
