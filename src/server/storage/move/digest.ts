import { hash } from 'node:crypto'
import { numberOf } from './differences.ts'
import type { MoveReader, Row, Value } from './side.ts'
import type { MovedTable } from './tables.ts'

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
