import type { Connection } from '../sqlite/database.ts'

/** Each counts rows that cannot be; an index or the primary key answers every look-up. */
const CHECKS: readonly (readonly [what: string, sql: string])[] = [
  [
    'profile changes of devices that are not there',
    `SELECT count(*) FROM profile_changes
      WHERE NOT EXISTS (SELECT 1 FROM devices WHERE devices.id = profile_changes.device)`,
  ],
  [
    'profile changes whose previous one is not there',
    `SELECT count(*) FROM profile_changes AS newer WHERE previous <> 0 AND NOT EXISTS (
      SELECT 1 FROM profile_changes AS older WHERE older.id = newer.previous
        AND older.device = newer.device AND older.id < newer.id)`,
  ],
  [
    'devices whose newest profile change is not there',
    `SELECT count(*) FROM device_states AS state WHERE last_change <> 0 AND NOT EXISTS (
      SELECT 1 FROM profile_changes AS newest
      WHERE newest.id = state.last_change AND newest.device = state.device)`,
  ],
  [
    'check-ins that name a later one as the one before',
    'SELECT count(*) FROM check_ins WHERE previous >= id',
  ],
  [
    'hours of profiles that are not there',
    `SELECT count(*) FROM hourly_adoption
      WHERE NOT EXISTS (SELECT 1 FROM profiles WHERE profiles.id = hourly_adoption.profile)`,
  ],
]

/**
 * What is wrong with the chains of check-ins and profile changes and with the hourly counter, one
 * sentence each. Only history is concerned: decisions never look at it. Reads every row.
 */
export function historyIssues(database: Connection): string[] {
  return CHECKS.flatMap(([what, sql]) => {
    const count = database.prepare<[], number>(sql).pluck().get() ?? 0
    return count === 0 ? [] : [`There are ${count} ${what}.`]
  })
}
