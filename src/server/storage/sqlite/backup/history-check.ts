import type { Finding, HistoryIssue } from '../../interface/findings.ts'
import type { Connection } from '../database.ts'

/** Each counts invalid rows. Every lookup uses an index or the primary key. */
const CHECKS: readonly (readonly [issue: HistoryIssue, sql: string])[] = [
  [
    'changes_without_device',
    `SELECT count(*) FROM profile_changes
      WHERE NOT EXISTS (SELECT 1 FROM devices WHERE devices.id = profile_changes.device)`,
  ],
  [
    'changes_without_previous',
    `SELECT count(*) FROM profile_changes AS newer WHERE previous <> 0 AND NOT EXISTS (
      SELECT 1 FROM profile_changes AS older WHERE older.id = newer.previous
        AND older.device = newer.device AND older.id < newer.id)`,
  ],
  [
    'devices_without_change',
    `SELECT count(*) FROM device_states AS state WHERE last_change <> 0 AND NOT EXISTS (
      SELECT 1 FROM profile_changes AS newest
      WHERE newest.id = state.last_change AND newest.device = state.device)`,
  ],
  [
    'devices_without_release',
    `SELECT count(*) FROM device_states WHERE episode >= 1 << 27 AND NOT EXISTS (
      SELECT 1 FROM offered_releases WHERE number = episode >> 27)`,
  ],
  [
    'counts_without_release',
    `SELECT count(*) FROM release_counts
      WHERE NOT EXISTS (SELECT 1 FROM offered_releases WHERE number = release)`,
  ],
  ['check_ins_out_of_order', 'SELECT count(*) FROM check_ins WHERE previous >= id'],
  [
    'hours_without_profile',
    `SELECT count(*) FROM hourly_adoption
      WHERE NOT EXISTS (SELECT 1 FROM profiles WHERE profiles.id = hourly_adoption.profile)`,
  ],
]

/**
 * Returns what is wrong with the chains of check-ins and profile changes, with the hourly counter and with the counters of releases. This
 * affects only the history: decisions do not use it. Reads every row.
 */
export function historyIssues(database: Connection): Finding[] {
  return CHECKS.flatMap(([issue, sql]) => {
    const count = database.prepare<[], number>(sql).pluck().get() ?? 0
    return count === 0 ? [] : [{ level: 'warning', code: 'history', issue, count }]
  })
}
