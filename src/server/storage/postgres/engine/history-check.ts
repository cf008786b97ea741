import type { Finding, HistoryIssue } from '../../interface/findings.ts'
import type { Queries } from '../connection/database.ts'
import { firstIdOf } from '../fleet/check-in-ids.ts'

/** Each counts invalid rows, by one join of two tables. */
const CHECKS: readonly (readonly [issue: HistoryIssue, sql: string])[] = [
  [
    'changes_without_device',
    `SELECT count(*) AS rows FROM profile_changes AS change
      WHERE NOT EXISTS (SELECT FROM devices WHERE devices.id = change.device)`,
  ],
  [
    'devices_without_change',
    `SELECT count(*) AS rows FROM devices WHERE last_change <> 0 AND NOT EXISTS (
      SELECT FROM profile_changes AS newest
      WHERE newest.id = devices.last_change AND newest.device = devices.id)`,
  ],
  [
    'devices_without_release',
    `SELECT count(*) AS rows FROM devices WHERE episode >= 1 << 27 AND NOT EXISTS (
      SELECT FROM offered_releases WHERE number = episode >> 27)`,
  ],
  [
    'counts_without_release',
    `SELECT count(*) AS rows FROM release_counts
      WHERE NOT EXISTS (SELECT FROM offered_releases WHERE number = release)`,
  ],
  [
    'check_ins_out_of_order',
    // Of one day, ids of different nodes tell no order; and their clocks may differ about midnight.
    `SELECT count(*) AS rows FROM check_ins
      WHERE device <> 0 AND (previous = id OR previous / ${firstIdOf(1)} > id / ${firstIdOf(1)} + 1)`,
  ],
  [
    'hours_without_profile',
    `SELECT count(*) AS rows FROM hourly_adoption AS counted
      WHERE NOT EXISTS (SELECT FROM profiles WHERE profiles.id = counted.profile)`,
  ],
]

/**
 * Returns what is wrong with the chains of check-ins and profile changes, and with counters. This affects only the history:
 * decisions do not use it. Reads every row, in the snapshot of `queries`.
 */
export async function historyIssues(queries: Queries): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const [issue, sql] of CHECKS) {
    const count = (await queries.row<{ rows: number }>(sql))?.rows ?? 0
    if (count > 0) findings.push({ level: 'warning', code: 'history', issue, count })
  }
  return findings
}
