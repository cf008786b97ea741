import type { Row } from './side.ts'
import type { MovedTable } from './tables.ts'

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
