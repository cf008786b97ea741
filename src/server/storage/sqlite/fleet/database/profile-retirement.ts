import { RETIRED_WIDTH } from '../../../shared/batch.ts'
import type { Connection } from '../../database.ts'
import { prepareAll, type Statement } from '../../statements.ts'

const fold = (table: string, step: string) => `INSERT INTO ${table} (profile, ${step}, devices)
  SELECT @other, ${step}, devices FROM ${table} WHERE profile = @id AND devices <> 0
  ON CONFLICT DO UPDATE SET devices = max(0, devices + excluded.devices)`

const SQL = {
  foldAdoption: fold('adoption', 'day'),
  foldHourly: fold('hourly_adoption', 'hour'),
  foldPresence: fold('presence', 'day'),
  deleteAdoption: 'DELETE FROM adoption WHERE profile = @id',
  deleteHourly: 'DELETE FROM hourly_adoption WHERE profile = @id',
  deletePresence: 'DELETE FROM presence WHERE profile = @id',
  deleteProfile: 'DELETE FROM profiles WHERE id = @id',
  // Version changes of devices still refer to it, so its number is never assigned again. The other may be
  // stored after this.
  keepNumbers: 'UPDATE telemetry_state SET last_profile = max(last_profile, @id, @other)',
} as const

/** Deletes profiles that nothing uses, and counts as other what was counted under them. */
export class ProfileRetirement {
  readonly #database: Connection
  readonly #statements: Readonly<Record<keyof typeof SQL, Statement>>
  readonly #retire: (retired: Float64Array) => void

  constructor(database: Connection) {
    this.#database = database
    this.#statements = prepareAll(database, SQL)
    this.#retire = database.transaction((retired: Float64Array) => this.#write(retired)).immediate
  }

  /** `retired`: as `TelemetryBatch.retired`. Profiles that are already retired are skipped. */
  retire(retired: Float64Array): void {
    if (retired.length === 0) return
    // Otherwise SQLite would scan all devices for references to each profile.
    this.#database.pragma('foreign_keys = OFF')
    try {
      this.#retire(retired)
    } finally {
      this.#database.pragma('foreign_keys = ON')
    }
  }

  #write(retired: Float64Array): void {
    const sql = this.#statements
    for (let at = 0; at < retired.length; at += RETIRED_WIDTH) {
      const [id, other] = [retired[at], retired[at + 1]]
      sql.keepNumbers.run({ id, other })
      sql.foldAdoption.run({ id, other })
      sql.foldHourly.run({ id, other })
      sql.foldPresence.run({ id, other })
      sql.deleteAdoption.run({ id })
      sql.deleteHourly.run({ id })
      sql.deletePresence.run({ id })
      sql.deleteProfile.run({ id })
    }
  }
}
