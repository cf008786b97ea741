import { z } from 'zod'
import { AuditItem } from './audit.ts'

/** One change of a release or a channel, as the audit log records it. */
export const HistoryEntry = AuditItem.omit({ app: true, channel: true, version: true })
export type HistoryEntry = z.infer<typeof HistoryEntry>

/**
 * The revision of a release or a channel policy: the id of the newest audit entry about it, 0 without any.
 * Every change appends an entry, and ids only grow. A form sends the revision that it was filled in with, and
 * the write is refused with `changed_since_seen` if another change came between.
 */
export const ChangeId = z.int().min(0)
export type ChangeId = z.infer<typeof ChangeId>
