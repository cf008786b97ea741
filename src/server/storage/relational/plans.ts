import type { CatalogReads, CatalogWrites } from '../../catalog/store.ts'
import { selected } from './columns/columns.ts'
import {
  PLAN,
  type PlanOfReleaseRow,
  type PlanRow,
  PUT_PLAN,
  planParameters,
  toPlan,
} from './columns/plan-columns.ts'
import { perDialect, type Questions, type Statements } from './statements.ts'

const SQL = perDialect(({ oneOf }) => ({
  one: `SELECT ${selected(PLAN)} FROM plans WHERE release_id = @releaseId`,
  byStatus: `SELECT ${selected(PLAN, 'p')}, r.channel_key AS "channelKey", r.version AS version
    FROM plans p JOIN releases r ON r.id = p.release_id
    WHERE ${oneOf('p.status', 'statuses', 'text')} ORDER BY r.created_at, r.id`,
  remove: 'DELETE FROM plans WHERE release_id = @releaseId',
}))

/** The questions to the plans. */
export function planReads(questions: Questions): Pick<CatalogReads, 'plan' | 'plans'> {
  return {
    async plan(releaseId) {
      const row = await questions.row<PlanRow>(SQL(questions).one, { releaseId })
      return row && toPlan(row)
    },
    async plans(statuses) {
      const rows = await questions.rows<PlanOfReleaseRow>(SQL(questions).byStatus, { statuses })
      return rows.map(toPlan)
    },
  }
}

/** Their writes. */
export function planWrites(tx: Statements): Pick<CatalogWrites, 'putPlan' | 'removePlan'> {
  return {
    async putPlan(plan) {
      await tx.run(PUT_PLAN, planParameters(plan))
    },
    async removePlan(releaseId) {
      return (await tx.run(SQL(tx).remove, { releaseId })) === 1
    },
  }
}
