import type { DeviceName } from '../../../../fleet/facts.ts'
import { eachCell } from '../../../../fleet/health/cells.ts'
import {
  intervalOf,
  phaseOf,
  progressOf,
  readStage,
  releaseOf,
} from '../../../../fleet/health/packed-episode.ts'
import { dayOf } from '../../../../fleet/time.ts'
import { guarded } from '../../../data-folder/errors.ts'
import type { NewDevice } from '../../../shared/batch.ts'
import { type Connection, openDatabase } from '../../database.ts'
import { DeviceChanges } from './device-changes.ts'
import { GoneDevices } from './gone-devices.ts'

/** Requests returned at once. */
const SLICE = 100

const SQL = {
  pending: 'SELECT app_key AS appKey, device_id AS deviceId FROM erasures LIMIT ?',
  isPending: 'SELECT count(*) FROM erasures WHERE app_key = ? AND device_id = ?',
  device: `SELECT id, profile, last_seen AS lastSeen, last_check_in AS lastCheckIn,
      last_change AS lastChange, episode, evidence
    FROM devices JOIN device_states ON device = id WHERE app_key = ? AND device_id = ?`,
  // The row may not contain the latest check-ins of the log yet.
  newer: `SELECT id AS lastCheckIn, at AS lastSeen, profile, kind >> 8 AS stage FROM check_ins
    WHERE id > (SELECT rows_through FROM telemetry_state) AND device = ? ORDER BY id DESC LIMIT 1`,
  newerChange: `SELECT max(id) FROM profile_changes
    WHERE id > (SELECT rows_through FROM telemetry_state) AND device = ?`,
  leave: 'UPDATE presence SET devices = devices - 1 WHERE profile = ? AND day = ?',
  leaveRelease: 'UPDATE release_counts SET devices = devices - 1 WHERE release = ? AND cell = ?',
  deleteEmptyCell: 'DELETE FROM release_counts WHERE release = ? AND cell = ? AND devices <= 0',
  deleteEmpty: 'DELETE FROM presence WHERE profile = ? AND day = ? AND devices <= 0',
} as const

type State = Pick<
  NewDevice,
  'id' | 'profile' | 'lastSeen' | 'lastCheckIn' | 'lastChange' | 'episode' | 'evidence'
>

interface Newer extends Pick<State, 'lastCheckIn' | 'lastSeen' | 'profile'> {
  readonly stage: number
}

/** Returns some of the pending requests to forget a device. */
export function createErasureReader(database: Connection): () => DeviceName[] {
  const pending = database.prepare<[number], DeviceName>(SQL.pending)
  return () => pending.all(SLICE)
}

/** Returns whether a request is pending. Throws `StorageError`. */
export function isErasurePending(file: string, { appKey, deviceId }: DeviceName): boolean {
  const database = openDatabase(file, { readonly: true })
  try {
    const count = database.prepare<[number, string], number>(SQL.isPending).pluck()
    return guarded(file, () => count.get(appKey, deviceId) !== 0)
  } finally {
    database.close()
  }
}

/**
 * Carries out a request in a database that no server has open: the caller holds the lock of the
 * folder. Throws `StorageError`; nothing is changed then.
 */
export function eraseStored(file: string, name: DeviceName): void {
  const database = openDatabase(file)
  try {
    guarded(file, () => database.transaction(() => erase(database, name)).immediate())
  } finally {
    database.close()
  }
}

function erase(database: Connection, name: DeviceName): void {
  const { appKey, deviceId } = name
  const gone = new GoneDevices(database, new DeviceChanges(database))
  const row = database.prepare<[number, string], State>(SQL.device).get(appKey, deviceId)
  if (row !== undefined) {
    const newer = database.prepare<[number], Newer>(SQL.newer).get(row.id)
    const change = database.prepare<[number], number | null>(SQL.newerChange).pluck().get(row.id)
    const { id, profile, lastSeen, lastCheckIn, episode, evidence } = { ...row, ...newer }
    gone.delete(Float64Array.of(id, lastCheckIn, change ?? row.lastChange))
    for (const sql of [SQL.leave, SQL.deleteEmpty])
      database.prepare(sql).run(profile, dayOf(lastSeen))
    const interval = intervalOf(progressOf(episode))
    // Where the row is behind, so are interval and evidence. A cell that is wrong for it is corrected at the next start.
    const { release, progress } =
      newer === undefined
        ? { release: releaseOf(episode), progress: progressOf(episode) }
        : readStage(newer.stage, interval)
    const leave = (cell: number) => {
      for (const sql of [SQL.leaveRelease, SQL.deleteEmptyCell])
        database.prepare(sql).run(release, cell)
    }
    eachCell(phaseOf(progress), interval, lastSeen, evidence, leave)
  }
  gone.carriedOut([name])
}
