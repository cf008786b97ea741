import type { ChangeId, HistoryEntry } from '../../shared/events/audit.ts'
import type { AuditPlace, AuditRecord } from './audit-log.ts'
import { Refusal } from './errors.ts'
import type { CatalogReads } from './store.ts'

/** Maximum number of changes that a refusal lists. */
const MAX_CHANGES = 20

/**
 * Refuses a write that was decided on an outdated state. Call it inside the transaction, ahead of every other
 * rule. `seen` is what `historyOf` answered as `lastChange` when the form was filled in; undefined for callers
 * that state what they want regardless of what is stored, such as the public API.
 *
 * Throws `changed_since_seen` with who changed what and when, if anything did. An offer to a device is not a
 * change: the rules of serving protect it.
 */
export async function refuseChangedSince(
  tx: CatalogReads,
  place: AuditPlace,
  seen: ChangeId | undefined,
): Promise<void> {
  if (seen === undefined) return
  const { lastChange, history } = await historyOf(tx, place, MAX_CHANGES)
  if (lastChange === seen) return
  const changes = history.filter(({ id }) => id > seen)
  throw new Refusal({ code: 'changed_since_seen', ...place, changes })
}

/**
 * Returns the revision of a release or a channel, and its newest `limit` changes, newest first. Read the state
 * itself after this: a revision must never be newer than the state that it is shown with.
 */
export async function historyOf(
  reads: CatalogReads,
  place: AuditPlace,
  limit: number,
): Promise<{ readonly lastChange: ChangeId; readonly history: HistoryEntry[] }> {
  const entries = await reads.auditOf(place, limit)
  return { lastChange: entries[0]?.id ?? 0, history: entries.map(showEntry) }
}

function showEntry({ id, at, actor, action, before, after }: AuditRecord): HistoryEntry {
  return { id, at, actor, action, before, after }
}
