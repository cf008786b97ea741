import { guarded } from '../data-folder/errors.ts'
import { isThere } from '../data-folder/folder.ts'
import { lockDataFolder } from '../data-folder/lock.ts'
import { MoveError } from '../interface/moves.ts'
import { dataFile, openDatabase } from '../sqlite/database.ts'
import { storedVersion } from '../sqlite/header.ts'
import { schemaVersion } from '../sqlite/migrations/index.ts'
import type { GivenOut, MoveSource } from './side.ts'
import { sqliteReader } from './sqlite-reader.ts'

/** Check-ins whose device rows a server that was killed has not written. */
const BEHIND = `SELECT EXISTS (SELECT 1 FROM check_ins
  WHERE id > (SELECT rows_through FROM telemetry_state) AND device <> 0)`

/** Everything that grows with a write. */
const MARK = `SELECT (SELECT revision FROM catalog_state) AS catalog,
    (SELECT revision FROM people_state) AS people, (SELECT revision FROM outbox_state) AS outbox,
    (SELECT json_group_array(json_array(name, seq)) FROM sqlite_sequence) AS sequences,
    (SELECT max(last_used_at) FROM sessions) AS sessions, telemetry_state.*
  FROM telemetry_state`

const GIVEN_OUT = `SELECT
    (SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'apps') AS apps,
    (SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'channels') AS channels,
    (SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'api_keys') AS api_keys,
    (SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'audit') AS audit,
    max(last_profile, (SELECT coalesce(max(id), 0) FROM profiles)) AS profiles,
    max(last_release, (SELECT coalesce(max(number), 0) FROM offered_releases)) AS offered_releases,
    (SELECT coalesce(max(id), 0) FROM set_aside) AS set_aside,
    max(last_device, (SELECT coalesce(max(id), 0) FROM devices),
      (SELECT coalesce(max(device), 0) FROM freed_devices)) AS devices,
    max(last_check_in, (SELECT coalesce(max(id), 0) FROM check_ins)) AS check_ins
  FROM telemetry_state`

/**
 * Opens a data folder that is copied. No server can start on it meanwhile. Rejects with `MoveError` `no_source` or
 * `older_source`, and with `StorageError` `locked` if a server runs.
 */
export async function openSqliteSource(folder: string): Promise<MoveSource> {
  const file = dataFile(folder)
  const found = isThere(file) ? storedVersion(file) : 0
  if (found === 0) throw new MoveError({ kind: 'no_source', place: folder })
  const needed = schemaVersion()
  if (found < needed) throw new MoveError({ kind: 'older_source', place: folder, found, needed })
  const source = lockAndOpen(folder)
  if (!source.isBehind() && (await source.miscounted()) === 0) return source
  await source.close()
  await catchUp(folder)
  return lockAndOpen(folder)
}

function lockAndOpen(folder: string) {
  const lock = lockDataFolder(folder)
  try {
    const file = dataFile(folder)
    const database = openDatabase(file, { readonly: true })
    // One snapshot: commands can write beside the lock.
    database.exec('BEGIN; SELECT 1 FROM sqlite_schema')
    return {
      ...sqliteReader(folder, () => database),
      isBehind: () => guarded(folder, () => database.prepare(BEHIND).pluck().get() === 1),
      mark: async () =>
        guarded(file, () => {
          // On a connection that is not in the snapshot.
          const beside = openDatabase(file, { readonly: true })
          try {
            return JSON.stringify(beside.prepare(MARK).get())
          } finally {
            beside.close()
          }
        }),
      givenOut: async () => guarded(folder, () => database.prepare(GIVEN_OUT).get() as GivenOut),
      async close() {
        database.close()
        lock.release()
      },
    } satisfies MoveSource & { isBehind: () => boolean }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Does what the next start of a server would do first: writes the rows of devices that the log is ahead of. */
async function catchUp(dataFolder: string): Promise<void> {
  const { openSqlite } = await import('../sqlite/engine/sqlite-storage.ts')
  const storage = await openSqlite({ dataFolder }, {})
  try {
    let failure: unknown
    const onFailure = (error: unknown) => {
      failure = error
    }
    const fleet = await storage.openFleet({ onFailure })
    await fleet.stop()
    if (failure !== undefined) throw failure
  } finally {
    await storage.close()
  }
}
