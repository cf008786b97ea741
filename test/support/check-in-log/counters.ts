import type { Connection } from '../../../src/server/storage/sqlite/database.ts'
import { DAY, HOUR } from '../builders/time.ts'

/** Cells by name, such as `1.0.0 on day 20526`, without the zeros. */
export type Cells = Readonly<Record<string, number>>

export interface Counters {
  readonly adoption: Cells
  readonly hourly: Cells
  readonly presence: Cells
  readonly checkIns: Cells
  readonly anonymous: Cells
  readonly offers: Cells
}

type Step = 'day' | 'hour'

const PREPOSITION = { day: ' on', hour: ' in' }

function cells(database: Connection, sql: string): Cells {
  return Object.fromEntries(database.prepare<[], [string, number]>(sql).raw().all())
}

/** Counted up as check-ins came, by profile or channel and day or hour; hours from `firstHour` on. */
export function storedCounters(database: Connection, firstHour = 0): Counters {
  const byProfile = (table: string, step: Step, from = 0) =>
    cells(
      database,
      `SELECT profile || '${PREPOSITION[step]} ${step} ' || ${step}, devices FROM ${table}
        WHERE devices <> 0 AND ${step} >= ${from}`,
    )
  const traffic = (column: string) =>
    cells(
      database,
      `SELECT channel_key || ' in hour ' || hour, ${column} FROM traffic WHERE ${column} <> 0`,
    )
  return {
    adoption: byProfile('adoption', 'day'),
    hourly: byProfile('hourly_adoption', 'hour', firstHour),
    presence: byProfile('presence', 'day'),
    checkIns: traffic('check_ins'),
    anonymous: traffic('anonymous'),
    offers: traffic('offers'),
  }
}

/** The same counters, recounted from every check-in in the log. */
export function recountedCounters(database: Connection, firstHour = 0): Counters {
  // A device counts under the last of what it said in a day, in an hour, and of all it said.
  const lastOfStep = (step: Step, width: number, group: string, from = 0) =>
    cells(
      database,
      `SELECT profile || '${PREPOSITION[step]} ${step} ' || step, count(*) FROM (
        SELECT profile, at / ${width} AS step, max(id) FROM check_ins WHERE device <> 0
        GROUP BY ${group}
      ) WHERE step >= ${from} GROUP BY profile, step`,
    )
  const traffic = (wanted: string) =>
    cells(
      database,
      `SELECT channel_key || ' in hour ' || (at / ${HOUR}), count(*)
        FROM check_ins JOIN profiles ON profiles.id = profile
        WHERE ${wanted} GROUP BY channel_key, at / ${HOUR}`,
    )
  return {
    adoption: lastOfStep('day', DAY, 'device, step'),
    hourly: lastOfStep('hour', HOUR, 'device, step', firstHour),
    presence: lastOfStep('day', DAY, 'device'),
    checkIns: traffic('true'),
    anonymous: traffic('device = 0'),
    // Answers 1 and 2, whatever the source, are offers; from 48 on are outcomes that apps report. Above 256 is the stage of the device.
    offers: traffic('kind % 256 < 48 AND kind % 16 IN (1, 2)'),
  }
}
