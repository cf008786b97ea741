import type { CatalogRemoval, RemovalOutcome } from '../../../../catalog/store.ts'
import { channelDeletions } from '../../../shared/channel-deletions.ts'
import { createAuditWriter } from '../../audit-writer.ts'
import type { Connection } from '../../database.ts'

const SQL = {
  archived: 'SELECT archived_at IS NOT NULL FROM apps WHERE key = ?',
  channels: 'SELECT key FROM channels WHERE app_key = ?',
  served: `SELECT count(*) FROM releases WHERE channel_key = ? AND status = 'published'
    AND EXISTS (SELECT 1 FROM artifacts WHERE release_id = releases.id)`,
  keepNumbers: `UPDATE telemetry_state SET
    last_device = max(last_device, (SELECT coalesce(max(id), 0) FROM devices)),
    last_profile = max(last_profile, (SELECT coalesce(max(id), 0) FROM profiles)),
    last_release = max(last_release, (SELECT coalesce(max(number), 0) FROM offered_releases))`,
  lastChange: 'SELECT last_change FROM device_states WHERE device = ?',
  newerChanges: `SELECT device, id FROM profile_changes
    WHERE id > (SELECT rows_through FROM telemetry_state) ORDER BY id`,
  deleteChange: 'DELETE FROM profile_changes WHERE id = ? AND device = ? RETURNING previous',
  free: `INSERT OR REPLACE INTO freed_devices (device, last_check_in)
    VALUES (?, (SELECT last_check_in FROM telemetry_state))`,
  deleteState: 'DELETE FROM device_states WHERE device = ?',
  deleteDetails: 'DELETE FROM outcome_details WHERE device = ?',
  deleteDevice: 'DELETE FROM devices WHERE id = ?',
  // Rows are behind the log: a device may have moved to another channel since.
  mendStates: `UPDATE device_states
    SET profile = newer.profile, last_seen = newer.at, last_check_in = newer.id,
      last_change = coalesce(changed.id, last_change),
      -- The usual interval stays; the next check-in that is written corrects it.
      episode = (newer.stage >> 5 << 27) | (device_states.episode & 0x7ffffe0) | (newer.stage & 31),
      offered_at = CASE WHEN newer.stage >> 5 = device_states.episode >> 27 THEN offered_at
        ELSE newer.at / 1000 END
    FROM (
      SELECT device, max(id) AS id, profile, at, kind >> 8 AS stage FROM check_ins
      WHERE id > (SELECT rows_through FROM telemetry_state)
        AND device IN (SELECT device FROM device_states WHERE profile IN (
          SELECT id FROM profiles WHERE channel_key = @channelKey))
      GROUP BY device
    ) AS newer LEFT JOIN (
      SELECT device, max(id) AS id FROM profile_changes
      WHERE id > (SELECT rows_through FROM telemetry_state) GROUP BY device
    ) AS changed ON changed.device = newer.device
    WHERE device_states.device = newer.device
      AND device_states.profile IN (SELECT id FROM profiles WHERE channel_key = @channelKey)`,
  // Devices that remain were never logged. They return with their next check-in.
  restDevices: `SELECT device FROM device_states
    WHERE profile IN (SELECT id FROM profiles WHERE channel_key = ?)`,
  releases: 'SELECT id FROM releases WHERE channel_key = ?',
  deleteDeliveries:
    'DELETE FROM deliveries WHERE webhook_id IN (SELECT id FROM webhooks WHERE app_key = ?)',
  deleteRoles: 'DELETE FROM account_app_roles WHERE app_key = ?',
  raisePeopleRevision: 'UPDATE people_state SET revision = revision + 1',
  raiseRevision: 'UPDATE catalog_state SET revision = revision + 1',
} as const

/**
 * Removes an app or a channel with all its data, in one transaction, or returns why not. The audit log stays.
 */
export function remove(
  database: Connection,
  removal: CatalogRemoval,
  devices: Int32Array,
): RemovalOutcome {
  // The triggers require that a parent is deleted before its children, and for each deleted profile SQLite
  // would scan every device for references.
  database.pragma('foreign_keys = OFF')
  try {
    const work = database.transaction(() => {
      const obstacle = obstacleTo(database, removal)
      if (obstacle !== undefined) return obstacle
      deleteDevices(database, devices)
      for (const channelKey of removal.channelKeys) deleteChannel(database, channelKey)
      if (removal.wholeApp) {
        const run = (sql: string) => database.prepare(sql).run(removal.appKey)
        run('DELETE FROM api_keys WHERE app_key = ?')
        run(SQL.deleteDeliveries)
        run('DELETE FROM webhooks WHERE app_key = ?')
        if (run(SQL.deleteRoles).changes > 0) database.prepare(SQL.raisePeopleRevision).run()
        run('DELETE FROM apps WHERE key = ?')
      }
      createAuditWriter(database)(removal.entry)
      database.prepare(SQL.raiseRevision).run()
      return 'removed'
    })
    return work.immediate()
  } finally {
    database.pragma('foreign_keys = ON')
  }
}

function obstacleTo(database: Connection, removal: CatalogRemoval): RemovalOutcome | undefined {
  const { appKey, channelKeys, wholeApp } = removal
  const archived = database.prepare<[number], 0 | 1>(SQL.archived).pluck().get(appKey)
  if (archived === undefined) return 'unknown'
  const stored = new Set(database.prepare<[number], number>(SQL.channels).pluck().all(appKey))
  if (!channelKeys.every((key) => stored.has(key))) return wholeApp ? 'outdated' : 'unknown'
  if (wholeApp && stored.size !== channelKeys.length) return 'outdated'
  if (!wholeApp && stored.size === channelKeys.length) return 'last_channel'
  if (archived === 1) return undefined
  const served = database.prepare<[number], number>(SQL.served).pluck()
  return channelKeys.some((key) => served.get(key) !== 0) ? 'served' : undefined
}

/** Deletes devices that have no pending writes. Call it with a slice of a large fleet. */
export function removeDevices(database: Connection, devices: Int32Array): void {
  database.transaction(() => deleteDevices(database, devices)).immediate()
}

function deleteDevices(database: Connection, devices: Int32Array): void {
  database.prepare(SQL.keepNumbers).run()
  deleteChanges(database, devices)
  const deleteState = database.prepare<[number]>(SQL.deleteState)
  const deleteDetails = database.prepare<[number]>(SQL.deleteDetails)
  const deleteDevice = database.prepare<[number]>(SQL.deleteDevice)
  for (const device of devices) deleteState.run(device)
  for (const device of devices) deleteDetails.run(device)
  for (const device of devices) deleteDevice.run(device)
  const free = database.prepare<[number]>(SQL.free)
  for (const device of devices) free.run(device)
}

/** Walks each device's chain from its newest change, which its row may not contain yet. */
function deleteChanges(database: Connection, devices: Int32Array): void {
  const going = new Set(devices)
  const newest = new Map<number, number>()
  const newer = database.prepare<[], [number, number]>(SQL.newerChanges).raw()
  for (const [device, id] of newer.iterate()) if (going.has(device)) newest.set(device, id)
  const lastChange = database.prepare<[number], number>(SQL.lastChange).pluck()
  const deleteChange = database.prepare<[number, number], number>(SQL.deleteChange).pluck()
  for (const device of devices) {
    let id = newest.get(device) ?? lastChange.get(device) ?? 0
    while (id !== 0) id = deleteChange.get(id, device) ?? 0
  }
}

function deleteChannel(database: Connection, channelKey: number): void {
  database.prepare(SQL.mendStates).run({ channelKey })
  const rest = database.prepare<[number], number>(SQL.restDevices).pluck().all(channelKey)
  deleteDevices(database, Int32Array.from(rest))
  const { fleet, catalog, ofReleases } = channelDeletions('= ?')
  for (const sql of fleet) database.prepare(sql).run(channelKey)
  const releases = database.prepare<[number], string>(SQL.releases).pluck().all(channelKey)
  for (const sql of catalog) database.prepare(sql).run(channelKey)
  for (const id of releases) for (const sql of ofReleases) database.prepare(sql).run(id)
}
