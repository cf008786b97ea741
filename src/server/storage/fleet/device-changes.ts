import { CHANGE_WIDTH } from '../../fleet/store.ts'
import type { Connection } from '../sqlite/database.ts'
import type { RowStatement } from '../sqlite/packed-rows.ts'
import { prepareAll, type Statement } from '../sqlite/statements.ts'

/** Version changes kept per device. */
export const KEPT_CHANGES = 100
/** Further changes after which older ones are deleted, so that most changes cost only one more lookup. */
const SLACK = 25

const SQL = {
  position: 'SELECT position FROM profile_changes WHERE id = ? AND device = ?',
  previous: 'SELECT previous FROM profile_changes WHERE id = ? AND device = ?',
  end: 'UPDATE profile_changes SET previous = 0 WHERE id = ?',
  delete: 'DELETE FROM profile_changes WHERE id = ? AND device = ? RETURNING previous',
} as const

/**
 * The chains of profile changes, one per device, from its newest change back. A chain is cut to its
 * newest 100 whenever 25 more have been added, which bounds a device that alternates between versions.
 */
export class DeviceChanges {
  readonly #sql: Readonly<Record<keyof typeof SQL, Statement>>

  constructor(database: Connection) {
    this.#sql = prepareAll(database, SQL)
    for (const name of ['position', 'previous', 'delete'] as const) this.#sql[name].pluck()
  }

  /**
   * Appends changes, packed as `TelemetryBatch.changes` says, by `insert`, which takes their five numbers
   * and the position in the chain.
   */
  append(insert: RowStatement, packed: Float64Array): void {
    for (let at = 0; at < packed.length; at += CHANGE_WIDTH) {
      const [id = 0, device = 0, when = 0, profile = 0, previous = 0] = packed.subarray(at)
      const position =
        previous === 0 ? 1 : Number(this.#sql.position.get(previous, device) ?? 0) + 1
      insert.run(id, device, when, profile, previous, position)
      if (position > KEPT_CHANGES && position % SLACK === 0) this.#cut(id, device)
    }
  }

  /** Deletes a device's whole chain, from its newest change `id` back. */
  delete(device: number, id: number): void {
    let next = id
    while (next !== 0) next = Number(this.#sql.delete.get(next, device) ?? 0)
  }

  #cut(newest: number, device: number): void {
    let last = newest
    for (let kept = 1; kept < KEPT_CHANGES; kept++) {
      const previous = Number(this.#sql.previous.get(last, device) ?? 0)
      if (previous === 0) return
      last = previous
    }
    this.delete(device, Number(this.#sql.previous.get(last, device) ?? 0))
    this.#sql.end.run(last)
  }
}
