/** Receives the values of one row. */
export interface RowStatement {
  run(...values: unknown[]): unknown
}

/** Runs the statement once for every three numbers. */
export function runThrees(statement: RowStatement, packed: Float64Array): void {
  for (let at = 0; at < packed.length; at += 3) {
    statement.run(packed[at], packed[at + 1], packed[at + 2])
  }
}

/** Runs the statement once for every five numbers. */
export function runFives(statement: RowStatement, packed: Float64Array): void {
  for (let at = 0; at < packed.length; at += 5) {
    statement.run(packed[at], packed[at + 1], packed[at + 2], packed[at + 3], packed[at + 4])
  }
}

/** Runs the statement once for every six numbers. */
export function runSixes(statement: RowStatement, packed: Float64Array): void {
  for (let at = 0; at < packed.length; at += 6) {
    statement.run(
      packed[at],
      packed[at + 1],
      packed[at + 2],
      packed[at + 3],
      packed[at + 4],
      packed[at + 5],
    )
  }
}

/** Runs the statement once for every two numbers. */
export function runTwos(statement: RowStatement, packed: Float64Array): void {
  for (let at = 0; at < packed.length; at += 2) statement.run(packed[at], packed[at + 1])
}
