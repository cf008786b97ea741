import { MAX_DRAFTS, MAX_OWN_DRAFTS } from '../../../shared/draft.ts'
import { Refusal } from '../errors.ts'
import type { CatalogChannel } from '../snapshot.ts'
import type { CatalogReads } from '../store.ts'

/** Throws `too_many_drafts`: half of those that an app can have are for others. */
export async function requireRoom(
  tx: CatalogReads,
  { key, ref }: CatalogChannel['app'],
  at: string,
  owner: string,
): Promise<void> {
  const { all, own } = await tx.countDrafts(key, at, owner)
  const refused = (maximum: number) =>
    new Refusal({ code: 'too_many_drafts', app: ref, maximum, isOwn: maximum === MAX_OWN_DRAFTS })
  if (all >= MAX_DRAFTS) throw refused(MAX_DRAFTS)
  if (own >= MAX_OWN_DRAFTS) throw refused(MAX_OWN_DRAFTS)
}
