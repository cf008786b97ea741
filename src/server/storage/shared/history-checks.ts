import type { HistoryIssue } from '../interface/findings.ts'

interface Engine {
  /** The table of what changes with check-ins, and its key. */
  readonly states: 'devices' | 'device_states'
  readonly device: 'id' | 'device'
  /** Conditions that a row is wrong: a `newer` profile change, where it names the one before it; and a check-in. */
  readonly withoutPrevious?: string
  readonly outOfOrder: string
}

/** Returns the statements that count invalid rows, as `rows`, each by one join of two tables. */
export function historyChecks({
  states,
  device,
  withoutPrevious,
  outOfOrder,
}: Engine): (readonly [issue: HistoryIssue, sql: string])[] {
  const checks = {
    changes_without_device: `profile_changes AS change
      WHERE NOT EXISTS (SELECT 1 FROM devices WHERE devices.id = change.device)`,
    changes_without_previous: `profile_changes AS newer WHERE ${withoutPrevious}`,
    devices_without_change: `${states} AS state WHERE last_change <> 0 AND NOT EXISTS (
      SELECT 1 FROM profile_changes AS newest
      WHERE newest.id = state.last_change AND newest.device = state.${device})`,
    devices_without_release: `${states} WHERE episode >= 1 << 27 AND NOT EXISTS (
      SELECT 1 FROM offered_releases WHERE number = episode >> 27)`,
    counts_without_release: `release_counts
      WHERE NOT EXISTS (SELECT 1 FROM offered_releases WHERE number = release)`,
    check_ins_out_of_order: `check_ins WHERE ${outOfOrder}`,
    hours_without_profile: `hourly_adoption AS counted
      WHERE NOT EXISTS (SELECT 1 FROM profiles WHERE profiles.id = counted.profile)`,
  } as const satisfies Record<HistoryIssue, string>
  return (Object.keys(checks) as HistoryIssue[])
    .filter((issue) => issue !== 'changes_without_previous' || withoutPrevious !== undefined)
    .map((issue) => [issue, `SELECT count(*) AS rows FROM ${checks[issue]}`])
}
