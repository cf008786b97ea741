import { z } from 'zod'
import { ActorKind, AuditItem } from '../events/audit.ts'
import { AppRef, ChannelName, Timestamp } from '../names.ts'

/** What a change was about: the word that its action begins with. */
export const ActionGroup = z.enum([
  'release',
  'artifact',
  'channel',
  'app',
  'key',
  'device',
  'database',
  'person',
  'session',
  'change_request',
  'draft',
])
export type ActionGroup = z.infer<typeof ActionGroup>

/** A moment, in the one form that the log has it in, so that the two compare as text. */
const Moment = Timestamp.transform((text) => new Date(text).toISOString())

/** A filter of the audit log. Omitted members match everything. */
export const AuditFilter = z.strictObject({
  /** By the names that they had when it happened; what was removed since counts too. */
  app: AppRef.optional(),
  channel: ChannelName.optional(),
  actorKind: ActorKind.optional(),
  actionGroup: ActionGroup.optional(),
  /** Part of a name, a version, an action, or of what changed. Letters of ASCII in either case. */
  search: z.string().max(200, 'must be at most 200 characters').optional(),
  /** The first moment that counts, and the first that does not any more. */
  from: Moment.optional(),
  to: Moment.optional(),
})
export type AuditFilter = z.infer<typeof AuditFilter>

export const AuditListInput = AuditFilter.extend({
  /** Only entries with a lower id: the last one of the page before. */
  before: z.int().min(1).optional(),
  perPage: z.int().min(1).max(100).default(50),
})

export const AuditPage = z.strictObject({
  /** Newest first. */
  entries: z.array(AuditItem),
  /** Entries that match on all pages. */
  total: z.int(),
  /** `before` of the next page; null if there is none. */
  next: z.int().nullable(),
})
export type AuditPage = z.infer<typeof AuditPage>

/** Most entries that one file holds: about 60 MB. */
export const MAX_EXPORT_ENTRIES = 200_000

/** A part of an exported file. Put together in order, the texts are the file. */
export const ExportPiece = z.strictObject({
  text: z.string(),
  /** Rows written so far, and rows in all. */
  done: z.int(),
  total: z.int(),
})
export type ExportPiece = z.infer<typeof ExportPiece>
