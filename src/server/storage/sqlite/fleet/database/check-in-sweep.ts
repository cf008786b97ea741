import type { LogSweep } from '../../../shared/batch.ts'
import type { Connection } from '../../database.ts'
import { prepareAll, type Statement } from '../../statements.ts'

const SWEEP = {
  slice: `SELECT id, at FROM check_ins
    WHERE id < ? AND id <= (SELECT rows_through FROM telemetry_state) ORDER BY id DESC LIMIT ?`,
  delete: 'DELETE FROM check_ins WHERE id = ?',
} as const

/** Milliseconds by which the clocks of two processes may differ at most. */
const AHEAD = 86_400_000

/** Walks through the check-in log from its end, and deletes what is old, regardless of its position. */
export class CheckInSweep {
  readonly #statements: Readonly<Record<keyof typeof SWEEP, Statement>>
  readonly #delete: (ids: readonly number[]) => void

  constructor(database: Connection) {
    this.#statements = prepareAll(database, SWEEP)
    this.#delete = database.transaction((ids: readonly number[]) => {
      for (const id of ids) this.#statements.delete.run(id)
    }).immediate
  }

  /** See `TelemetryDatabase.sweepCheckIns`. */
  next({ below, later }: LogSweep, before: number, now: number, limit: number): LogSweep {
    const rows = this.#statements.slice.raw().all(below, limit) as [id: number, at: number][]
    const old: number[] = []
    let nearest = later
    for (const [id, at] of rows) {
      if (at < now + AHEAD) nearest = at
      if (nearest < before) old.push(id)
    }
    if (old.length > 0) this.#delete(old)
    return { below: rows.length < limit ? 0 : (rows.at(-1)?.[0] ?? 0), later: nearest }
  }
}
