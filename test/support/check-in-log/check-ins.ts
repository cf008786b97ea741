import { readKind } from '../../../src/server/storage/shared/ingest/check-in-kind.ts'
import type { Connection } from '../../../src/server/storage/sqlite/database.ts'

/** A row of the check-in log, oldest first. */
export interface LoggedCheckIn {
  readonly device: number
  readonly at: number
  readonly profile: number
  readonly channelKey: number
  readonly version: string
  readonly reason: string | null
}

/** The check-in log of a database. */
export function checkInsOf(database: Connection): LoggedCheckIn[] {
  const sql = `SELECT device, at, profile, channel_key AS channelKey, version, kind
    FROM check_ins JOIN profiles ON profiles.id = profile ORDER BY check_ins.id`
  return database
    .prepare<[], Omit<LoggedCheckIn, 'reason'> & { kind: number }>(sql)
    .all()
    .map(({ kind, ...row }) => ({ ...row, reason: readKind(kind).reason }))
}
