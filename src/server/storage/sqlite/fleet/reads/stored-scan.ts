import type Database from 'better-sqlite3'
import type { DeviceScan, ScanFilter } from '../../../../fleet/facts.ts'
import type { NumberedProfile } from '../../../shared/batch.ts'
import type { SqliteScanTicket } from './device-scan.ts'

const SQL = {
  profiles: `SELECT id, channel_key AS channelKey, version, platform, arch FROM profiles
    WHERE channel_key = ?`,
  highest: 'SELECT coalesce(max(id), 0) FROM devices',
  states: 'SELECT device, profile FROM device_states',
  newer: `SELECT device, profile FROM check_ins
    WHERE id > (SELECT rows_through FROM telemetry_state) ORDER BY id`,
} as const

/** As `FleetReads.scan`, of a database that no server of this process has in memory: without the state of devices. */
export function scanOf(database: Database.Database, { channelKey }: ScanFilter): DeviceScan {
  const read = database.transaction(() => {
    const profiles = database.prepare(SQL.profiles).all(channelKey) as NumberedProfile[]
    const highest = Number(database.prepare(SQL.highest).pluck().get())
    const byDevice = new Int32Array(
      new SharedArrayBuffer((highest + 1) * Int32Array.BYTES_PER_ELEMENT),
    )
    // Rows may lack the latest check-ins of the log.
    for (const rows of [SQL.states, SQL.newer]) {
      for (const row of database.prepare(rows).raw().iterate()) {
        const [device, profile] = row as [number, number]
        if (device <= highest) byDevice[device] = profile
      }
    }
    return { profiles, byDevice }
  })
  const { profiles, byDevice } = read()
  const ids = new Set(profiles.map(({ id }) => id))
  const devices = byDevice.reduce((sum, profile) => sum + (ids.has(profile) ? 1 : 0), 0)
  const ticket: SqliteScanTicket = {
    ...{ store: 'sqlite', file: database.name, profiles, byDevice },
    ...{ chunks: [], release: 0 },
  }
  return { devices, ticket }
}
