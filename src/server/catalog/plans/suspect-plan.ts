import { heldOffers } from '../../plans/held-offers.ts'
import { percentageBefore } from '../../plans/step-serving.ts'
import { auditEntry } from '../audit.ts'
import type { Catalog } from '../catalog.ts'
import type { TransactOptions } from '../store.ts'
import { OFFERS_HELD, OFFERS_RESUMED, SERVER } from './advance-plan.ts'
import { changedPlan, type PlanRecord } from './plan-record.ts'
import type { JudgedPlan } from './stop-plan.ts'

/**
 * Stores that the release of a running plan seems to fail, and how many of its step's devices are offered it meanwhile, unless
 * that is stored or the plan has changed since it was seen. A plan that is suspected has another revision, so that nobody who
 * saw it before applies a step of it.
 */
export async function suspectPlan(
  catalog: Catalog,
  { channel, release, plan: seen }: JudgedPlan,
  options: TransactOptions = {},
): Promise<void> {
  const before = suspected(seen, release.rolloutPct, catalog.now())
  if (seen.suspectedSince !== null && before.openPct === seen.openPct) return
  await catalog.change(async (tx) => {
    const record = await tx.plan(seen.releaseId)
    if (record?.status !== 'running' || record.revision !== seen.revision) return
    const now = catalog.now()
    const after = suspected(record, release.rolloutPct, now)
    await tx.putPlan(changedPlan(record, { ...after, readings: record.readings }))
    // How many devices wait less from hour to hour follows from when it began.
    if ((after.openPct === null) === (record.openPct === null)) return
    const subject = { app: channel.app.ref, channel: channel.record.name, version: release.version }
    const [was, is] = [record, after].map(({ openPct }) => ({ openPct }))
    const action = after.openPct === null ? OFFERS_RESUMED : OFFERS_HELD
    const at = new Date(now).toISOString()
    await tx.appendAudit(auditEntry(at, SERVER, action, subject, was, is))
  }, options)
}

function suspected(
  record: PlanRecord,
  rolloutPct: number,
  now: number,
): Pick<PlanRecord, 'suspectedSince' | 'openPct'> {
  const suspectedSince = record.suspectedSince ?? new Date(now).toISOString()
  const reached = percentageBefore(record.plan, record.step)
  return {
    suspectedSince,
    openPct: heldOffers(reached, rolloutPct, Date.parse(suspectedSince), now),
  }
}
