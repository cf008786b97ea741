import type { Catalog } from '../catalog.ts'
import type { TransactOptions } from '../store.ts'
import { changedPlan, type PlanOfRelease } from './plan-record.ts'

/**
 * Stores since when the release of a running plan seems to fail (ISO 8601, UTC), unless the plan has changed since it was
 * seen. A plan that is suspected has another revision, so that nobody who saw it before applies a step of it.
 */
export async function suspectPlan(
  catalog: Catalog,
  seen: PlanOfRelease,
  suspectedSince: string,
  options: TransactOptions = {},
): Promise<void> {
  await catalog.change(async (tx) => {
    const record = await tx.plan(seen.releaseId)
    if (record?.status !== 'running' || record.revision !== seen.revision) return
    await tx.putPlan(changedPlan(record, { suspectedSince }))
  }, options)
}
