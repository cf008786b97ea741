import type { LabelMap } from '../../../../../shared/names.ts'
import type {
  InstallProfile,
  ScannedDevice,
  ScannedState,
  ScanTicket,
} from '../../../../fleet/facts.ts'
import { REVERTED } from '../../../../fleet/health/episode.ts'
import { intervalOf, phaseOf } from '../../../../fleet/health/packed-episode.ts'
import { NO_LABELS } from '../../../../fleet/labels.ts'
import type { NumberedProfile } from '../../../shared/batch.ts'
import { SharedDevices } from '../../../shared/memory/shared-devices.ts'
import { type Connection, openDatabase } from '../../database.ts'

/** Devices read at once: some milliseconds, so that no read holds the write-ahead log for long. */
const SLICE = 5_000

const SQL = 'SELECT id, device_id, labels FROM devices WHERE id > ? ORDER BY id LIMIT ?'
const CHANGED = 'SELECT at FROM profile_changes WHERE id = ? AND device = ?'

type Row = readonly [device: number, deviceId: string, labels: string]

/** Devices of one channel of an SQLite database. */
export interface SqliteScanTicket extends ScanTicket {
  readonly store: 'sqlite'
  readonly file: string
  /** Profiles of the channel's devices. */
  readonly profiles: readonly NumberedProfile[]
  /** The profile of every device of every app, by the device's number. */
  readonly byDevice: Int32Array<SharedArrayBuffer>
  /** The memory of all devices, in which they go on. */
  readonly chunks: readonly SharedArrayBuffer[]
  /** The number of the release that the scan is about; 0 for none. */
  readonly release: number
}

type ReadState = (device: number) => ScannedState

class SqliteScannedDevice implements ScannedDevice {
  readonly deviceId: string
  readonly profile: InstallProfile
  readonly #labels: string
  readonly #device: number
  readonly #readState: ReadState

  constructor([device, deviceId, labels]: Row, profile: InstallProfile, readState: ReadState) {
    this.deviceId = deviceId
    this.profile = profile
    this.#labels = labels
    this.#device = device
    this.#readState = readState
  }

  get state(): ScannedState {
    return this.#readState(this.#device)
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
    const readState = stateReader(database, ticket)
    for (const rows of slicesOf(database)) {
      yield rows.flatMap((row) => {
        const profile = profileById.get(ticket.byDevice[row[0]] ?? 0)
        return profile === undefined ? [] : new SqliteScannedDevice(row, profile, readState)
      })
    }
  } finally {
    database.close()
  }
}

function stateReader(database: Connection, ticket: SqliteScanTicket): ReadState {
  const devices = new SharedDevices(ticket.chunks)
  const changed = database.prepare<[number, number], number>(CHANGED).pluck()
  return (device) => {
    const progress = devices.progress(device)
    const phase = phaseOf(progress)
    const changedAt = () => changed.get(devices.lastChange(device), device) ?? null
    return {
      firstSeen: devices.firstSeen(device) * 1_000,
      lastSeen: devices.lastSeen(device),
      ...{ interval: intervalOf(progress), phase, evidence: devices.evidence(device) },
      isOffered: ticket.release !== 0 && devices.release(device) === ticket.release,
      revertedAt: phase === REVERTED ? changedAt() : null,
    }
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
