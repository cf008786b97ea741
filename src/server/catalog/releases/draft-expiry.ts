import type { Actor } from '../audit-log.ts'
import type { Catalog } from '../catalog.ts'
import { removeDraft } from './drafts.ts'

/** Most drafts that one call removes; later ones are left to the next. */
const MAX_AT_ONCE = 100
const SERVER: Actor = { kind: 'server', name: 'server' }

/** Removes the drafts whose time is up, at most 100, and records each in the audit log. Returns how many. */
export async function expireDrafts(catalog: Catalog): Promise<number> {
  const at = catalog.timestamp()
  if ((await catalog.store.expiredDrafts(at, 1)).length === 0) return 0
  const { channelByKey } = await catalog.refresh()
  return await catalog.change(async (tx) => {
    const expired = await tx.expiredDrafts(at, MAX_AT_ONCE)
    for (const draft of expired) {
      const channel = channelByKey.get(draft.channelKey)
      if (channel === undefined) continue
      const { owner, version } = draft
      const task = { actor: SERVER, owner, channel, version }
      await removeDraft(tx, catalog, task, draft, 'draft.expired')
    }
    return expired.length
  })
}
