import type { Catalog } from './catalog.ts'
import type { ReleaseRecord } from './store.ts'

/**
 * Makes "offered" durable, before the first answer that offers the release may leave.
 *
 * Answers false where what is stored differs from what the decision was made on, because another
 * process changed the release since: the snapshot is fresh then, and the caller decides again.
 * Without this a lowered percentage and a first offer could pass each other.
 */
export async function markOffered(catalog: Catalog, decided: ReleaseRecord): Promise<boolean> {
  return await catalog.change(async (tx) => {
    const stored = await tx.release(decided.channelKey, decided.version)
    if (stored === undefined || !sameServing(stored, decided)) return false
    if (!stored.offered) await tx.setOffered(stored.id)
    return true
  })
}

function sameServing(one: ReleaseRecord, other: ReleaseRecord): boolean {
  return (
    one.status === other.status &&
    one.rolloutPct === other.rolloutPct &&
    JSON.stringify(one.targets) === JSON.stringify(other.targets)
  )
}
