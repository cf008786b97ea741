import { hash } from 'node:crypto'
import { days } from '../../fleet/time.ts'
import type { MoveReader, Row, Value } from './side.ts'
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

/** What a comparison of two tables looks at. */
interface TableDigest {
  readonly rows: number
  /** The sum of the hashes of all rows, so that their order does not matter. */
  readonly sum: bigint
}

/** Reads a table from the beginning. `onRows`: called with the rows of each batch. */
export async function digestOf(
  reader: MoveReader,
  table: MovedTable,
  onRows: (rows: number) => void,
): Promise<TableDigest> {
  const isCheckIn = table.columns.map((column) => table.checkIns.includes(column))
  const isDerived = table.columns.map((column) => table.derived.includes(column))
  const comparable = (value: Value, at: number): Value => {
    if (isDerived[at]) return null
    return isCheckIn[at] && typeof value === 'number' ? numberOf(value) : value
  }
  let [rows, sum] = [0, 0n]
  await reader.read(table, undefined, async (batch) => {
    for (const row of batch) sum = BigInt.asUintN(64, sum + hashOf(row.map(comparable)))
    rows += batch.length
    onRows(batch.length)
  })
  return { rows, sum }
}

function hashOf(row: Row): bigint {
  return hash('sha1', JSON.stringify(row), 'buffer').readBigUInt64BE()
}
