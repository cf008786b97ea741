import type { DeviceName } from '../../../../fleet/facts.ts'
import { GONE_WIDTH, type NewDevice } from '../../../shared/batch.ts'
import type { Connection } from '../../database.ts'
import { prepareAll, type Statement } from '../../statements.ts'
import type { DeviceChanges } from './device-changes.ts'

const SQL = {
  deleteState: 'DELETE FROM device_states WHERE device = ?',
  deleteDetails: 'DELETE FROM outcome_details WHERE device = ?',
  deleteDevice: 'DELETE FROM devices WHERE id = ?',
  free: 'INSERT OR REPLACE INTO freed_devices (device, last_check_in) VALUES (?, ?)',
  reuse: 'DELETE FROM freed_devices WHERE device = ?',
  addReused: 'UPDATE telemetry_state SET reused = reused + ?',
  carriedOut: 'DELETE FROM erasures WHERE app_key = ? AND device_id = ?',
} as const

/** Deletes devices with all their data, inside a transaction of the caller. */
export class GoneDevices {
  readonly #sql: Readonly<Record<keyof typeof SQL, Statement>>
  readonly #changes: DeviceChanges

  constructor(database: Connection, changes: DeviceChanges) {
    this.#sql = prepareAll(database, SQL)
    this.#changes = changes
  }

  /** Deletes devices, packed as in `TelemetryBatch.gone`. */
  delete(packed: Float64Array): void {
    for (let at = 0; at < packed.length; at += GONE_WIDTH) {
      const [device = 0, lastCheckIn = 0, lastChange = 0] = packed.subarray(at)
      this.#changes.delete(device, lastChange)
      this.#sql.deleteDetails.run(device)
      this.#sql.deleteState.run(device)
      this.#sql.deleteDevice.run(device)
      this.#sql.free.run(device, lastCheckIn)
    }
  }

  /** Records that numbers of deleted devices are in use again. */
  reuse(devices: readonly NewDevice[]): void {
    let reused = 0
    for (const { id } of devices) reused += this.#sql.reuse.run(id).changes
    if (reused > 0) this.#sql.addReused.run(reused)
  }

  /** Removes requests to forget these devices from the list. */
  carriedOut(erased: readonly DeviceName[]): void {
    for (const { appKey, deviceId } of erased) this.#sql.carriedOut.run(appKey, deviceId)
  }
}
