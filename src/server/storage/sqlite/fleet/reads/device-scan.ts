import type { LabelMap } from '../../../../../shared/names.ts'
import type { InstallProfile, ScannedDevice, ScanTicket } from '../../../../fleet/facts.ts'
import { NO_LABELS } from '../../../../fleet/labels.ts'
import type { NumberedProfile } from '../../../shared/batch.ts'
import { type Connection, openDatabase } from '../../database.ts'

/** Devices read at once: some milliseconds, so that no read holds the write-ahead log for long. */
const SLICE = 5_000

const SQL = 'SELECT id, device_id, labels FROM devices WHERE id > ? ORDER BY id LIMIT ?'

type Row = readonly [device: number, deviceId: string, labels: string]

/** Devices of one channel of an SQLite database. */
export interface SqliteScanTicket extends ScanTicket {
  readonly store: 'sqlite'
  readonly file: string
  /** Profiles of the channel's devices. */
  readonly profiles: readonly NumberedProfile[]
  /** The profile of every device of every app, by the device's number. */
  readonly byDevice: Int32Array<SharedArrayBuffer>
}

class SqliteScannedDevice implements ScannedDevice {
  readonly deviceId: string
  readonly profile: InstallProfile
  readonly #labels: string

  constructor(deviceId: string, profile: InstallProfile, labels: string) {
    this.deviceId = deviceId
    this.profile = profile
    this.#labels = labels
  }

  get labels(): LabelMap {
    return this.#labels === '{}' ? NO_LABELS : JSON.parse(this.#labels)
  }
}

/**
 * Reads the committed devices of a scan, slice by slice, on its own connection. Blocks the thread for a slice,
 * so it must not run on a thread that answers requests. No read stays open between two slices. Throws `StorageError`.
 */
export function* readSqliteScan(ticket: ScanTicket): Generator<readonly ScannedDevice[], void> {
  if (!isOfSqlite(ticket)) throw new Error(`no devices can be read from ${ticket.store}`)
  const profileById = new Map(ticket.profiles.map((profile) => [profile.id, profile]))
  const database = openDatabase(ticket.file, { readonly: true })
  try {
    for (const rows of slicesOf(database)) {
      yield rows.flatMap(([device, deviceId, labels]) => {
        const profile = profileById.get(ticket.byDevice[device] ?? 0)
        return profile === undefined ? [] : new SqliteScannedDevice(deviceId, profile, labels)
      })
    }
  } finally {
    database.close()
  }
}

function isOfSqlite(ticket: ScanTicket): ticket is SqliteScanTicket {
  return ticket.store === 'sqlite'
}

function* slicesOf(database: Connection): Generator<readonly Row[], void> {
  const statement = database.prepare<[number, number], Row>(SQL).raw()
  let last = 0
  for (;;) {
    const rows = statement.all(last, SLICE)
    yield rows
    if (rows.length < SLICE) return
    last = rows.at(-1)?.[0] ?? last
  }
}
