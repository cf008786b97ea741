import { z } from 'zod'
import { Timestamp } from '../names.ts'

/**
 * What made a change: an API key, the command line, the desktop console on the server's machine, a
 * person who signed in, or the server by itself.
 */
export const ActorKind = z.enum(['key', 'command_line', 'console', 'person', 'server'])
export type ActorKind = z.infer<typeof ActorKind>

/** Who made a change. */
export const Actor = z
  .strictObject({
    kind: ActorKind,
    /** The key's name, the account name on this computer, the person's sign-in name, or `server`. */
    name: z.string(),
    /** The first 8 characters of the key, which no other key has; entries from before it was stored have none. */
    keyPrefix: z.string().exactOptional(),
    /** The network address that the change came from, if it is known. */
    address: z.string().exactOptional(),
    /** How a person made it if not in the console. */
    via: z.literal('command_line').exactOptional(),
  })
  .readonly()
export type Actor = z.infer<typeof Actor>

/** One change: what it was about, by the names of then, and what it was before and after. */
export const AuditItem = z.strictObject({
  id: z.int(),
  at: Timestamp,
  actor: Actor,
  /** Dotted, the thing first: `release.published`, `release.serving_changed`, `key.revoked`. */
  action: z.string(),
  app: z.string().nullable(),
  channel: z.string().nullable(),
  version: z.string().nullable(),
  /** Plain JSON; null if it did not exist before. */
  before: z.unknown(),
  after: z.unknown(),
})
export type AuditItem = z.infer<typeof AuditItem>

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
