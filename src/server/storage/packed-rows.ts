import type { Statement } from './statements.ts'

/** Runs the statement once for every three numbers. */
export function runThrees(statement: Statement, packed: Float64Array): void {
  for (let at = 0; at < packed.length; at += 3) {
    statement.run(packed[at], packed[at + 1], packed[at + 2])
  }
}

/** Runs the statement once for every five numbers. */
export function runFives(statement: Statement, packed: Float64Array): void {
  for (let at = 0; at < packed.length; at += 5) {
    statement.run(packed[at], packed[at + 1], packed[at + 2], packed[at + 3], packed[at + 4])
  }
}

/** Runs the statement once for every six numbers. */
export function runSixes(statement: Statement, packed: Float64Array): void {
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
