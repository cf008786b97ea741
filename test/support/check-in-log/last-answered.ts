import { readKind } from '../../../src/server/storage/shared/ingest/check-in-kind.ts'
import type { Connection } from '../../../src/server/storage/sqlite/database.ts'
import type { DecisionReason } from '../../../src/shared/releases/manifest.ts'

/** A device as the database knows it. */
export interface KnownDevice {
  readonly app: string
  readonly id: string
  readonly version: string
}

const LAST_ANSWERED = `SELECT ref AS app, device_id AS id, version, kind, max(check_ins.id)
  FROM check_ins JOIN devices ON devices.id = device JOIN apps ON apps.key = devices.app_key
    JOIN profiles ON profiles.id = profile
  GROUP BY device ORDER BY max(check_ins.id) DESC`

/** Returns the latest device whose last decision had the `reason`. */
export function lastAnswered(
  database: Connection,
  app: string,
  reason: DecisionReason,
): KnownDevice {
  const found = database
    .prepare<[], KnownDevice & { kind: number }>(LAST_ANSWERED)
    .all()
    .find((device) => device.app === app && readKind(device.kind).reason === reason)
  if (found === undefined) throw new Error(`no device of ${app} was last told ${reason}`)
  return found
}
