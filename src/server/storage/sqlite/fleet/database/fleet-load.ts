import type { FleetLoader } from '../../../shared/batch.ts'
import type { Connection } from '../../database.ts'

const PROFILES = `SELECT id, channel_key AS channelKey, app_key AS appKey, version, platform, arch,
    named_by AS namedBy, last_day AS lastDay
  FROM profiles JOIN channels ON channels.key = channel_key`
const RELEASES = `SELECT number, release_id AS id, channel_key AS channelKey, version,
    offered_at AS offeredAt
  FROM offered_releases ORDER BY number`
const DEVICES = `SELECT id, app_key, device_id, profile, last_seen, labels, last_check_in,
    last_change, first_seen, episode, offered_at, evidence | (keyed << 2)
  FROM devices JOIN device_states ON device = id WHERE id > ? ORDER BY id LIMIT ?`
/** Devices read at once: a million one by one take a third longer. */
const PAGE = 1_000
const FREED = 'SELECT device, last_check_in FROM freed_devices'
const LOG_TAIL = `SELECT device, profile, at, id, kind >> 8 FROM check_ins
  WHERE id > (SELECT rows_through FROM telemetry_state) AND device <> 0 ORDER BY id`
const CHANGES_TAIL = `SELECT device, id FROM profile_changes
  WHERE id > (SELECT rows_through FROM telemetry_state) ORDER BY id`
const PRESENCE = 'SELECT profile, day, devices FROM presence'
const HEALTH = 'SELECT release, cell, devices FROM release_counts'

/** Hands everything that is stored to `loader`, in the order that it names. */
export function loadFleet(database: Connection, loader: FleetLoader): void {
  const rows = (sql: string): Iterable<unknown> => database.prepare(sql).iterate()
  const tuples = (sql: string): Iterable<unknown> => database.prepare(sql).raw().iterate()
  // One snapshot of all tables, although batches may be committed meanwhile.
  database.transaction(() => {
    for (const profile of rows(PROFILES)) loader.profile(profile as never)
    for (const release of rows(RELEASES)) loader.release(release as never)
    loadDevices(database, loader)
    for (const row of tuples(FREED)) loader.freed(...(row as FreedTuple))
    for (const row of tuples(LOG_TAIL)) loader.replay(...(row as CheckInTuple))
    for (const row of tuples(CHANGES_TAIL)) loader.change(...(row as ChangeTuple))
    for (const row of tuples(PRESENCE)) loader.presence(...(row as CellTuple))
    for (const row of tuples(HEALTH)) loader.health(...(row as CellTuple))
  })()
}

function loadDevices(database: Connection, loader: FleetLoader): void {
  const next = database.prepare<[number, number], DeviceTuple>(DEVICES).raw()
  let page: DeviceTuple[] = []
  do {
    page = next.all(page.at(-1)?.[0] ?? 0, PAGE)
    for (const row of page) loader.device(...row)
  } while (page.length === PAGE)
}

type DeviceTuple = Parameters<FleetLoader['device']>
type FreedTuple = Parameters<FleetLoader['freed']>
type CheckInTuple = Parameters<FleetLoader['replay']>
type ChangeTuple = Parameters<FleetLoader['change']>
type CellTuple = Parameters<FleetLoader['presence']>
