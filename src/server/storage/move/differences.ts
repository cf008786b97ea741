import { days } from '../../fleet/time.ts'
import type { Row } from './side.ts'
import type { MovedTable } from './tables.ts'

/** What PostgreSQL multiplies the day of a check-in by to make its id; see `firstIdOf`. */
const IDS_OF_DAY = 2 ** 36

/**
 * Returns the number of a check-in, which is its id in SQLite: its id in PostgreSQL without the day. The numbers come from
 * one sequence for all days, so no two check-ins of a log have the same.
 */
export function numberOf(id: number): number {
  return id % IDS_OF_DAY
}

/**
 * Returns an expression of SQLite for the id in PostgreSQL of a check-in with a number, at a time (Unix ms). A check-in that
 * the log does not have any more is on day 0, of which there is no partition.
 */
export function idInPostgres(number: string, at: string): string {
  return `(coalesce(${at} / ${days(1)}, 0) * ${IDS_OF_DAY} + ${number})`
}

/** Returns the UTC day of an id in PostgreSQL. */
export function dayOfId(id: number): number {
  return Math.floor(id / IDS_OF_DAY)
}

/** Returns labels as JSON with sorted keys: PostgreSQL sorts them too, though differently. */
export function sortedLabels(labels: Readonly<Record<string, string>>): string {
  const entries = Object.entries(labels).map(([key, value]) => [key, value.toWellFormed()] as const)
  entries.sort(([one], [other]) => (one < other ? -1 : 1))
  return JSON.stringify(Object.fromEntries(entries))
}

/** Returns a row of devices with sorted labels. */
export function comparableLabels({ columns }: MovedTable, row: Row): Row {
  const at = columns.indexOf('labels')
  const labels = row[at]
  return labels === '{}' ? row : row.with(at, sortedLabels(JSON.parse(String(labels))))
}
