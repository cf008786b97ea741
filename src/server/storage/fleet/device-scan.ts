import { type Connection, openDatabase } from '../sqlite/database.ts'

/** Number, device id, and labels as JSON. */
export type ScannedDevice = readonly [device: number, deviceId: string, labels: string]

const SLICE = 'SELECT id, device_id, labels FROM devices WHERE id > ? ORDER BY id LIMIT ?'

/**
 * Walks through every device that is committed, of all apps, on a connection of its own. Blocks
 * the thread for a slice: meant for a thread that answers nobody. Throws `StorageError`.
 */
export class DeviceScan {
  readonly #database: Connection
  readonly #slice: (after: number, limit: number) => ScannedDevice[]
  #last = 0

  constructor(file: string) {
    this.#database = openDatabase(file, { readonly: true })
    const slice = this.#database.prepare<[number, number]>(SLICE).raw()
    this.#slice = (after, limit) => slice.all(after, limit) as ScannedDevice[]
  }

  /** The next devices, at most `limit`; none at the end. No read stays open between two calls. */
  next(limit: number): readonly ScannedDevice[] {
    const rows = this.#slice(this.#last, limit)
    this.#last = rows.at(-1)?.[0] ?? this.#last
    return rows
  }

  close(): void {
    this.#database.close()
  }
}
