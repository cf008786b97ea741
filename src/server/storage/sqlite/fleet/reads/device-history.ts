import type { Connection } from '../../database.ts'
import { prepareAll, type Statement } from '../../statements.ts'

const SQL = {
  heads: 'SELECT last_check_in, last_change FROM device_states WHERE device = ?',
  checkIn: `SELECT id, at, profile, kind, previous, (
      SELECT detail FROM outcome_details WHERE release = kind >> 13 AND check_in = id
    ) AS detail FROM check_ins WHERE id = ? AND device = ?`,
  change: 'SELECT id, at, profile, previous FROM profile_changes WHERE id = ? AND device = ?',
} as const

/** A check-in in the log. */
export interface ReadCheckIn {
  readonly id: number
  /** Unix time in milliseconds. */
  readonly at: number
  readonly profile: number
  /** See `readKind`. */
  readonly kind: number
  /** The device's previous check-in; 0 for none. Its row may have been deleted. */
  readonly previous: number
  /** What its app reported in words; null for nothing. */
  readonly detail: string | null
}

/** When a device changed to a profile. */
export interface ReadProfileChange {
  readonly id: number
  /** Unix time in milliseconds. */
  readonly at: number
  readonly profile: number
  readonly previous: number
}

interface Link {
  readonly id: number
  readonly previous: number
}

/** Reads a device's history along its chains: a few microseconds per step, however long the log is. */
export class DeviceHistoryReads {
  readonly #sql: Readonly<Record<keyof typeof SQL, Statement>>

  constructor(database: Connection) {
    this.#sql = prepareAll(database, SQL)
  }

  /** At most `limit` check-ins from `from` back; fewer if older ones were deleted. */
  checkIns(device: number, from: number, limit: number): ReadCheckIn[] {
    return this.#walk<ReadCheckIn>('checkIn', device, from, limit, 'last_check_in')
  }

  /** At most `limit` profile changes from `from` back. */
  profileChanges(device: number, from: number, limit: number): ReadProfileChange[] {
    return this.#walk<ReadProfileChange>('change', device, from, limit, 'last_change')
  }

  #walk<Row extends Link>(
    name: 'checkIn' | 'change',
    device: number,
    from: number,
    limit: number,
    head: 'last_check_in' | 'last_change',
  ): Row[] {
    const rows: Row[] = []
    const read = (id: number) => this.#sql[name].get(id, device) as Row | undefined
    let row = read(from) ?? read(this.#storedHead(device, head, from))
    while (row !== undefined && rows.length < limit) {
      rows.push(row)
      row = row.previous === 0 ? undefined : read(row.previous)
    }
    return rows
  }

  /** Returns the newest link in the device's row if `from` is not written yet; never a newer one. */
  #storedHead(device: number, head: 'last_check_in' | 'last_change', from: number): number {
    const heads = this.#sql.heads.get(device) as
      | { last_check_in: number; last_change: number }
      | undefined
    const stored = heads?.[head] ?? 0
    return stored < from ? stored : 0
  }
}
