import { messageOf } from '../../../../../shared/basics/message-of.ts'
import { isConstraintBreach } from '../../../data-folder/errors.ts'
import type { Connection } from '../../database.ts'
import type { RowStatement } from '../../statements.ts'
import { prepareAll, type Statement } from '../../statements.ts'

/** Maximum refused rows kept for inspection; the oldest are deleted. */
export const MAX_SET_ASIDE = 1_000
/** Statements whose refusal loses a check-in. */
const CHECK_INS: ReadonlySet<string> = new Set(['insertCheckIn', 'insertDevice'])

const SQL = {
  add: 'INSERT INTO set_aside (at, batch, statement, row, reason) VALUES (?, ?, ?, ?, ?)',
  trim: `DELETE FROM set_aside WHERE id <= (SELECT max(id) FROM set_aside) - ${MAX_SET_ASIDE}`,
  // Stored rows may refer to a refused device or profile: its number is not reused.
  keepNumbers: `UPDATE telemetry_state SET last_device = max(last_device, ?),
    last_profile = max(last_profile, ?)`,
} as const

/** Sets aside telemetry rows that a constraint refuses, so that the others are stored. */
export class SetAside {
  readonly #sql: Readonly<Record<keyof typeof SQL, Statement>>
  #lost = 0

  constructor(database: Connection) {
    this.#sql = prepareAll(database, SQL)
  }

  /** Refused check-ins and new devices since `begin`. */
  get lost(): number {
    return this.#lost
  }

  /** Resets the count. */
  begin(): void {
    this.#lost = 0
  }

  /** The statements, each of which sets aside what a constraint refuses. */
  guard<Name extends string>(
    statements: Readonly<Record<Name, RowStatement>>,
    batch: number,
  ): Readonly<Record<Name, RowStatement>> {
    const guarded: Partial<Record<Name, RowStatement>> = {}
    for (const name in statements) {
      const statement = statements[name]
      const run = (...values: unknown[]) => this.#run(statement, name, batch, values)
      guarded[name] = { run }
    }
    return guarded as Record<Name, RowStatement>
  }

  #run(statement: RowStatement, name: string, batch: number, values: unknown[]): void {
    try {
      statement.run(...values)
    } catch (error) {
      if (!isConstraintBreach(error)) throw error
      const row = JSON.stringify(values.map(withoutText))
      this.#sql.add.run(Date.now(), batch, name, row, messageOf(error))
      this.#sql.trim.run()
      const [id] = values
      this.#sql.keepNumbers.run(name === 'insertDevice' ? id : 0, name === 'insertProfile' ? id : 0)
      if (CHECK_INS.has(name)) this.#lost++
    }
  }
}

/** Device ids and labels are not kept here, where a request to forget a device would not find them. */
function withoutText(value: unknown): unknown {
  return typeof value === 'string' ? `${value.length} characters` : value
}
