import { z } from 'zod'
import { Timestamp } from './names.ts'

/** One change of a release or a channel, as the audit log records it. */
export const HistoryEntry = z.strictObject({
  id: z.int(),
  at: Timestamp,
  actor: z.strictObject({ kind: z.enum(['key', 'command_line', 'console']), name: z.string() }),
  action: z.string(),
  /** Plain JSON; null if it did not exist before. */
  before: z.unknown(),
  after: z.unknown(),
})
export type HistoryEntry = z.infer<typeof HistoryEntry>

/**
 * The revision of a release or a channel policy: the id of the newest audit entry about it, 0 without any.
 * Every change appends an entry, and ids only grow. A form sends the revision that it was filled in with, and
 * the write is refused with `changed_since_seen` if another change came between.
 */
export const ChangeId = z.int().min(0)
export type ChangeId = z.infer<typeof ChangeId>
