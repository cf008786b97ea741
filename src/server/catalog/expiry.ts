import { closeRequest } from './approvals/approval.ts'
import { SERVER } from './audit-log.ts'
import type { Catalog } from './catalog.ts'
import { removeDraft } from './releases/drafts.ts'

/** Most that one call removes or closes; later ones are left to the next. */
const MAX_AT_ONCE = 100

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

/** Closes the open change requests whose time is up, at most 100, and records each in the audit log. Returns how many. */
export async function expireChangeRequests(catalog: Catalog): Promise<number> {
  const at = catalog.timestamp()
  if ((await catalog.store.expiredChangeRequests(at, 1)).length === 0) return 0
  const { channelByKey } = await catalog.refresh()
  return await catalog.change(async (tx) => {
    const expired = await tx.expiredChangeRequests(at, MAX_AT_ONCE)
    for (const request of expired) {
      const channel = channelByKey.get(request.channelKey)
      if (channel === undefined) continue
      await closeRequest(tx, catalog, channel, request, {
        ...{ state: 'expired', actor: SERVER, comment: '' },
      })
    }
    return expired.length
  })
}
