import type { LabelMap } from '../../../../../shared/names.ts'
import type { AdoptionCell, DeviceRecord, DeviceScan, ScanFilter } from '../../../../fleet/facts.ts'
import type { FleetReads } from '../../../../fleet/store.ts'
import { dayName } from '../../../../fleet/time.ts'
import type { NumberedProfile } from '../../../shared/batch.ts'
import type { Connection } from '../../database.ts'
import { prepareAll } from '../../statements.ts'
import { createCounterReaders } from './counter-reads.ts'
import type { SqliteScanTicket } from './device-scan.ts'
import { createHealthReaders } from './health-reads.ts'

const SQL = {
  device: `SELECT id, profile, labels, first_seen, last_seen
    FROM devices JOIN device_states ON device = id WHERE app_key = ? AND device_id = ?`,
  newerCheckIn: `SELECT at, profile FROM check_ins
    WHERE id > (SELECT rows_through FROM telemetry_state) AND device = ?
    ORDER BY id DESC LIMIT 1`,
  profile: 'SELECT channel_key, version, platform, arch FROM profiles WHERE id = ?',
  labels: 'SELECT labels FROM devices WHERE id = ?',
  adoption: `SELECT day, channels.name AS channel, profiles.version AS version,
      sum(devices) AS devices
    FROM channels
      JOIN profiles ON profiles.channel_key = channels.key
      JOIN adoption ON adoption.profile = profiles.id AND day BETWEEN ? AND ?
    WHERE channels.app_key = ? AND devices > 0
    GROUP BY day, channels.key, profiles.version ORDER BY day`,
} as const

interface DeviceRow {
  id: number
  profile: number
  labels: string
  first_seen: number
  last_seen: number
}

/** Reads the committed fleet, and labels by the numbers of devices, on one connection. */
export function sqliteFleetReads(database: Connection) {
  const sql = prepareAll(database, SQL)
  const counters = createCounterReaders(database)
  const health = createHealthReaders(database)
  const deviceInOneView = database.transaction(
    (appKey: number, deviceId: string): DeviceRecord | undefined => {
      const row = sql.device.get(appKey, deviceId) as DeviceRow | undefined
      if (row === undefined) return undefined
      // The row may not contain the latest check-ins of the log yet.
      const newer = sql.newerCheckIn.get(row.id) as { at: number; profile: number } | undefined
      const { channel_key, ...installed } = sql.profile.get(newer?.profile ?? row.profile) as {
        channel_key: number
        version: string
        platform: string
        arch: string
      }
      return {
        appKey,
        deviceId,
        profile: { channelKey: channel_key, ...installed },
        labels: JSON.parse(row.labels),
        firstSeen: row.first_seen,
        lastSeen: newer?.at ?? row.last_seen,
      }
    },
  )
  return {
    // A commit between reading a row and the end of the log could move check-ins from the log to the row.
    device: async (appKey, deviceId) => deviceInOneView(appKey, deviceId),
    async labels(ids: readonly number[]): Promise<LabelMap[]> {
      const statement = sql.labels.pluck()
      return ids.map((id) => {
        const text = statement.get(id)
        return typeof text === 'string' && text !== '{}' ? JSON.parse(text) : {}
      })
    },
    async adoption(appKey, from, to) {
      const rows = sql.adoption.all(from, to, appKey) as (Omit<AdoptionCell, 'day'> & {
        day: number
      })[]
      return rows.map((row) => ({ ...row, day: dayName(row.day) }))
    },
    presence: async (...asked) => counters.presence(...asked),
    traffic: async (...asked) => counters.traffic(...asked),
    channelTotals: async (hour) => counters.channelTotals(hour),
    channelHealth: async (query) => health.channelHealth(query),
    releaseHealth: async (...asked) => health.releaseHealth(...asked),
    busyHours: async (hour) => health.busyHours(hour),
    healthAt: async (...asked) => health.healthAt(...asked),
    outcomeDetails: async (...asked) => health.outcomeDetails(...asked),
    scan: async (filter) => scanOf(database, filter),
  } satisfies FleetReads & { readonly labels: unknown }
}

const SCAN = {
  profiles: `SELECT id, channel_key AS channelKey, version, platform, arch FROM profiles
    WHERE channel_key = ?`,
  highest: 'SELECT coalesce(max(id), 0) FROM devices',
  states: 'SELECT device, profile FROM device_states',
  newer: `SELECT device, profile FROM check_ins
    WHERE id > (SELECT rows_through FROM telemetry_state) ORDER BY id`,
} as const

/** `FleetReads.scan`, of a database that no server of this process has in memory: without the state of devices. */
function scanOf(database: Connection, { channelKey }: ScanFilter): DeviceScan {
  const read = database.transaction(() => {
    const profiles = database.prepare(SCAN.profiles).all(channelKey) as NumberedProfile[]
    const highest = Number(database.prepare(SCAN.highest).pluck().get())
    const byDevice = new Int32Array(
      new SharedArrayBuffer((highest + 1) * Int32Array.BYTES_PER_ELEMENT),
    )
    // Rows may lack the latest check-ins of the log.
    for (const rows of [SCAN.states, SCAN.newer]) {
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
