import { availableParallelism } from 'node:os'
import type Database from 'better-sqlite3'

export type Statement = Database.Statement<unknown[]>

/** Prepares every statement of a store once, under its name. */
export function prepareAll<Name extends string>(
  database: Database.Database,
  sql: Readonly<Record<Name, string>>,
): Readonly<Record<Name, Statement>> {
  const prepared: Partial<Record<Name, Statement>> = {}
  for (const name in sql) prepared[name] = database.prepare(sql[name])
  return prepared as Record<Name, Statement>
}

/** Receives the values of one row. */
export interface RowStatement {
  run(...values: unknown[]): unknown
}

/** Milliseconds that a thread writes without a rest, and those of a rest. */
const [SPELL, REST] = [0.3, 0.3]
/** Whether the thread that answers waits while another one writes. */
const isCoreShared = availableParallelism() === 1
const never = new Int32Array(new SharedArrayBuffer(4))
let begun = 0

/** Lets the thread that answers go on where there is one core: the system would have each run for some milliseconds. */
export function giveWay(): void {
  if (!isCoreShared || performance.now() - begun < SPELL) return
  Atomics.wait(never, 0, 0, REST)
  begun = performance.now()
}

/** Rows after which `runPacked` looks whether it is time for a rest. */
const BETWEEN = 32

/**
 * Runs the statement once for every `width` numbers of `rows`. The widths are written out because
 * spreading an array costs a statement 5% more time.
 */
export function runPacked(statement: RowStatement, rows: Float64Array, width: 3 | 5 | 6 | 8): void {
  for (let at = 0; at < rows.length; at += width) {
    if (at % (width * BETWEEN) === 0) giveWay()
    const [first, second, third] = [rows[at], rows[at + 1], rows[at + 2]]
    if (width === 3) statement.run(first, second, third)
    else {
      const [fourth, fifth] = [rows[at + 3], rows[at + 4]]
      if (width === 5) statement.run(first, second, third, fourth, fifth)
      else if (width === 6) statement.run(first, second, third, fourth, fifth, rows[at + 5])
      else {
        const [sixth, seventh, eighth] = [rows[at + 5], rows[at + 6], rows[at + 7]]
        statement.run(first, second, third, fourth, fifth, sixth, seventh, eighth)
      }
    }
  }
}
