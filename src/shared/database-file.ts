import { z } from 'zod'
import { Timestamp } from './names.ts'

/** What happened to a database file while the server was using it. */
export const FileIssue = z.enum(['missing', 'replaced', 'emptied'])
export type FileIssue = z.infer<typeof FileIssue>

/** A database that is no longer the one that the server opened: nothing is written to it. */
export const DatabaseTrouble = z.strictObject({
  /** Path of the file: the database, its write-ahead log, or the index of that log. */
  file: z.string(),
  issue: FileIssue,
  /** When it was noticed. */
  since: Timestamp,
})
export type DatabaseTrouble = z.infer<typeof DatabaseTrouble>
