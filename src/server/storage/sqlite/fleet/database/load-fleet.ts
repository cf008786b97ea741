import { progressOf, releaseOf } from '../../../../fleet/health/packed-episode.ts'
import type { FleetLoader } from '../../../shared/batch.ts'
import { DeviceTable } from '../../../shared/memory/device-table.ts'
import { CHUNK } from '../../../shared/memory/shared-devices.ts'
import type { Connection } from '../../database.ts'

const PROFILES = `SELECT id, channel_key AS channelKey, app_key AS appKey, version, platform, arch,
    named_by AS namedBy, last_day AS lastDay
  FROM profiles JOIN channels ON channels.key = channel_key`
const RELEASES = `SELECT number, release_id AS id, channel_key AS channelKey, version,
    offered_at AS offeredAt
  FROM offered_releases ORDER BY number`
const DEVICES = `SELECT id, app_key, device_id, nullif(labels, '{}') FROM devices
  WHERE id > ? AND id <= ? ORDER BY id LIMIT ?`
const STATES = `SELECT id, profile, last_seen, last_check_in, last_change, first_seen, episode,
    offered_at, evidence | (keyed << 2)
  FROM devices JOIN device_states ON device = id WHERE id > ? AND id <= ? ORDER BY id LIMIT ?`
/** Rows read at once: a million one by one take a third longer. */
const PAGE = 1_000
const FREED = 'SELECT device, last_check_in FROM freed_devices'
const ROWS_THROUGH = 'SELECT rows_through FROM telemetry_state'
const LOG_TAIL = `SELECT id, device, profile, at, kind >> 8 FROM check_ins
  WHERE id > ? AND id <= ? AND device <> 0 ORDER BY id LIMIT ?`
const CHANGES_TAIL = `SELECT device, id FROM profile_changes
  WHERE id > (${ROWS_THROUGH}) ORDER BY id`
const PRESENCE = 'SELECT profile, day, devices FROM presence'
const HEALTH = 'SELECT release, cell, devices FROM release_counts'

/**
 * Hands everything that is stored to `loader`, in the order that it names. Chunks of states are read by this thread and, if
 * `help` has it call `readStates` too, by another one meanwhile: nothing changes devices before they are loaded.
 */
export async function loadFleet(
  database: Connection,
  loader: FleetLoader,
  help: (...args: Parameters<StateReader['readStates']>) => Promise<void>,
): Promise<void> {
  const rows = (sql: string): Iterable<unknown> => database.prepare(sql).iterate()
  const tuples = (sql: string): Iterable<unknown> => database.prepare(sql).raw().iterate()
  // One snapshot of all tables, although batches may be committed meanwhile.
  database.exec('BEGIN')
  try {
    for (const profile of rows(PROFILES)) loader.profile(profile as never)
    for (const release of rows(RELEASES)) loader.release(release as never)
    const taken = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
    await Promise.all([help(loader.chunks, taken), readDevices(database, loader, taken)])
    for (const row of tuples(FREED)) loader.freed(...(row as FreedTuple))
    const rowsThrough = Number(database.prepare(ROWS_THROUGH).pluck().get())
    forEachRow<CheckInTuple>(database, LOG_TAIL, replayed(loader), { from: rowsThrough })
    for (const row of tuples(CHANGES_TAIL)) loader.change(...(row as ChangeTuple))
    for (const row of tuples(PRESENCE)) loader.presence(...(row as CellTuple))
    for (const row of tuples(HEALTH)) loader.health(...(row as CellTuple))
  } finally {
    database.exec('COMMIT')
  }
}

function replayed(loader: FleetLoader) {
  return ([id, device, profile, at, stage]: CheckInTuple) =>
    loader.replay(device, profile, at, id, stage)
}

async function readDevices(database: Connection, loader: FleetLoader, taken: Int32Array) {
  forEachRow<NameTuple>(database, DEVICES, (row) => loader.device(...row))
  createStateReader(database).readStates(loader.chunks, taken)
}

/** Fills a table that has room for all devices with their states. */
export interface StateReader {
  /**
   * Reads one chunk after the other until all are taken. `chunks`: from `share()` of the table; `taken`: how many are, in
   * memory that is shared with other threads which do the same.
   */
  readStates(chunks: readonly SharedArrayBuffer[], taken: Int32Array): void
}

/** Returns what reads states on this connection: each thread has one of its own. */
export function createStateReader(database: Connection): StateReader {
  return {
    readStates(chunks, taken) {
      const table = new DeviceTable(chunks)
      const take = (row: StateTuple) => setState(table, ...row)
      for (;;) {
        const chunk = Atomics.add(taken, 0, 1)
        if (chunk >= chunks.length) return
        const before = chunk * CHUNK - 1
        forEachRow<StateTuple>(database, STATES, take, { from: before, through: before + CHUNK })
      }
    },
  }
}

function setState(
  table: DeviceTable,
  ...[
    id,
    profile,
    lastSeen,
    lastCheckIn,
    lastChange,
    firstSeen,
    episode,
    offeredAt,
    evidence,
  ]: StateTuple
): void {
  table.load(id, profile, lastSeen)
  table.setLastCheckIn(id, lastCheckIn)
  table.setLastChange(id, lastChange)
  table.setFirstSeen(id, firstSeen)
  table.setEpisode(id, releaseOf(episode), progressOf(episode))
  table.setOfferedAt(id, offeredAt)
  table.setEvidence(id, evidence)
}

/**
 * Reads rows, which begin with their id, above `from` and up to `through`. Each page is read once, and what SQLite keeps of
 * a million devices does not go back to the system.
 */
function forEachRow<Row extends readonly [number, ...unknown[]]>(
  database: Connection,
  sql: string,
  take: (row: Row) => void,
  { from = 0, through = Number.MAX_SAFE_INTEGER } = {},
): void {
  const cache = database.pragma('cache_size', { simple: true })
  database.pragma('cache_size = -512')
  const next = database.prepare<[number, number, number], Row>(sql).raw()
  let page: Row[] = []
  do {
    page = next.all(page.at(-1)?.[0] ?? from, through, PAGE)
    for (const row of page) take(row)
  } while (page.length === PAGE)
  database.pragma(`cache_size = ${cache}`)
}

type NameTuple = Parameters<FleetLoader['device']>
type StateTuple = [
  id: number,
  profile: number,
  lastSeen: number,
  lastCheckIn: number,
  lastChange: number,
  firstSeen: number,
  episode: number,
  offeredAt: number,
  evidence: number,
]
type FreedTuple = Parameters<FleetLoader['freed']>
type CheckInTuple = [id: number, device: number, profile: number, at: number, stage: number]
type ChangeTuple = Parameters<FleetLoader['change']>
type CellTuple = Parameters<FleetLoader['presence']>
