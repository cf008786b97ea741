import { KEPT_CHANGES } from '../../../../fleet/facts.ts'
import { CHANGE_WIDTH } from '../../../shared/batch.ts'
import type { Connection } from '../../database.ts'
import { prepareAll, type RowStatement, runPacked, type Statement } from '../../statements.ts'

/** Changes of a device after which its older ones are deleted, so that most changes cost no lookup. */
const SLACK = 25
/** Devices by which the array of counts grows at a time. */
const ROOM_STEP = 65_536

const SQL = {
  previous: 'SELECT previous FROM profile_changes WHERE id = ? AND device = ?',
  end: 'UPDATE profile_changes SET previous = 0 WHERE id = ?',
  delete: 'DELETE FROM profile_changes WHERE id = ? AND device = ? RETURNING previous',
} as const

/**
 * The chains of profile changes, one per device, from its newest change back. A chain is cut to its
 * newest 100 whenever 25 more have been added since the start, which bounds a device that alternates
 * between versions.
 */
export class DeviceChanges {
  readonly #sql: Readonly<Record<keyof typeof SQL, Statement>>
  /** Changes since the start or the last cut, by the number of the device. */
  #added = new Uint8Array(0)

  constructor(database: Connection) {
    this.#sql = prepareAll(database, SQL)
    for (const name of ['previous', 'delete'] as const) this.#sql[name].pluck()
  }

  /** Appends changes, packed as in `TelemetryBatch.changes`, with `insert`, which takes their five numbers. */
  append(insert: RowStatement, packed: Float64Array): void {
    runPacked(insert, packed, CHANGE_WIDTH)
    for (let at = 0; at < packed.length; at += CHANGE_WIDTH) {
      const [id = 0, device = 0] = [packed[at], packed[at + 1]]
      if (device >= this.#added.length) this.#grow(device)
      const added = (this.#added[device] ?? 0) + 1
      this.#added[device] = added % SLACK
      if (added === SLACK) this.#cut(id, device)
    }
  }

  /** Deletes a device's whole chain, from its newest change `id` back. */
  delete(device: number, id: number): void {
    let next = id
    while (next !== 0) next = Number(this.#sql.delete.get(next, device) ?? 0)
  }

  #grow(device: number): void {
    const larger = new Uint8Array((Math.floor(device / ROOM_STEP) + 1) * ROOM_STEP)
    larger.set(this.#added)
    this.#added = larger
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
