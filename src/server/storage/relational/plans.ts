import type { CheckReading } from '../../../shared/plans/gate-check.ts'
import type { PlanOfRelease, PlanRecord } from '../../catalog/plans/plan-record.ts'
import type { CatalogReads, CatalogWrites, PlanRevision } from '../../catalog/store.ts'
import { Columns, type RowOf } from './columns/columns.ts'
import { touchRelease } from './releases.ts'
import { perDialect, type Questions, type Statements } from './statements.ts'

const PLAN = new Columns<PlanRecord>({
  releaseId: 'plain',
  plan: 'json',
  targets: 'json',
  status: 'plain',
  reason: 'plain',
  since: 'plain',
  step: 'plain',
  appliedAt: 'plain',
  soakSince: 'plain',
  approved: 'flag',
  stopReasons: 'json',
  accepted: 'json',
  suspectedSince: 'plain',
  openPct: 'plain',
  readings: 'json',
  revision: 'plain',
})

const PUT = PLAN.replaceIn('plans', 'release_id')

const SQL = perDialect(({ oneOf }) => ({
  one: `SELECT ${PLAN.selected()} FROM plans WHERE release_id = @releaseId`,
  byStatus: `SELECT ${PLAN.selected('p')}, r.channel_key AS "channelKey", r.version AS version
    FROM plans p JOIN releases r ON r.id = p.release_id
    WHERE ${oneOf('p.status', 'statuses', 'text')} ORDER BY r.created_at, r.id`,
  open: `SELECT open_pct AS "openPct" FROM plans
    WHERE release_id = @releaseId AND status = 'running'`,
  remove: 'DELETE FROM plans WHERE release_id = @releaseId',
  noteReadings: `UPDATE plans SET readings = @readings
    WHERE release_id = @releaseId AND revision = @revision`,
}))

/** The questions to the plans. */
export function planReads(questions: Questions): Pick<CatalogReads, 'plan' | 'plans'> {
  return {
    async plan(releaseId) {
      const row = await questions.row<RowOf<PlanRecord>>(SQL(questions).one, { releaseId })
      return row && PLAN.read(row)
    },
    async plans(statuses) {
      const { byStatus } = SQL(questions)
      const rows = await questions.rows<RowOf<PlanOfRelease>>(byStatus, { statuses })
      return rows.map((row) => PLAN.read(row))
    },
  }
}

/** Their writes. */
export function planWrites(tx: Statements): Pick<CatalogWrites, 'putPlan' | 'removePlan'> {
  return {
    async putPlan(plan) {
      const { releaseId, status, openPct } = plan
      const before = await openPctOf(tx, releaseId)
      await tx.run(PUT, PLAN.write(plan))
      if (before !== (status === 'running' ? openPct : null)) await touchRelease(tx, releaseId)
    },
    async removePlan(releaseId) {
      const before = await openPctOf(tx, releaseId)
      const isRemoved = (await tx.run(SQL(tx).remove, { releaseId })) === 1
      if (before !== null) await touchRelease(tx, releaseId)
      return isRemoved
    },
  }
}

/** What releases are read with. */
async function openPctOf(tx: Statements, releaseId: string): Promise<number | null> {
  return (await tx.row<Pick<PlanRecord, 'openPct'>>(SQL(tx).open, { releaseId }))?.openPct ?? null
}

/** Notes what the checks of a gate found, unless the plan has changed since that revision. */
export async function noteReadings(
  tx: Statements,
  { releaseId, revision }: PlanRevision,
  readings: readonly CheckReading[],
): Promise<void> {
  const written = { releaseId, revision, readings: JSON.stringify(readings) }
  await tx.run(SQL(tx).noteReadings, written)
}
