import type { Catalog } from '../catalog.ts'
import type { TransactOptions } from '../store.ts'
import { changedPlan, type PlanOfRelease } from './plan-record.ts'

/**
 * Stores that the release of a running plan seems to fail, unless that is stored or the plan has changed since it was seen. A plan that is suspected has another revision, so that nobody who saw it before applies a step of it.
 */
export async function suspectPlan(
  catalog: Catalog,
  seen: PlanOfRelease,
  options: TransactOptions = {},
): Promise<void> {
  if (seen.suspectedSince !== null) return
  await catalog.change(async (tx) => {
    const record = await tx.plan(seen.releaseId)
    if (record?.status !== 'running' || record.revision !== seen.revision) return
    await tx.putPlan(changedPlan(record, { suspectedSince: catalog.timestamp() }))
  }, options)
}
