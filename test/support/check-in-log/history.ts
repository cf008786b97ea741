import type { Connection } from '../../../src/server/storage/sqlite/database.ts'

/** Copies with an index by device: the tables have none, and every look-up would scan them. */
const COPIES = `
  CREATE TEMP TABLE log AS SELECT * FROM check_ins;
  CREATE INDEX temp.log_of_device ON log (device, id);
  CREATE TEMP TABLE changes AS SELECT * FROM profile_changes;
  CREATE INDEX temp.changes_of_device ON changes (device, id);`

/** Device rows that are not as the device was at the check-in that they name, or too old. */
const WRONG_ROWS = `SELECT device, last_check_in, last_change FROM device_states AS state
  WHERE last_check_in < (SELECT coalesce(max(id), 0) FROM log
      WHERE device = state.device AND id <= (SELECT rows_through FROM telemetry_state))
    OR last_change <> (SELECT coalesce(max(id), 0) FROM changes
      WHERE device = state.device AND id <= state.last_check_in)
    OR (profile, last_seen) IS NOT (SELECT profile, at FROM check_ins WHERE id = last_check_in)`

/** The history of every device as stored, and the rows that contradict it. The log must be complete. */
export function storedHistory(database: Connection) {
  const all = (sql: string) => database.prepare<[], number[]>(sql).raw().all()
  database.exec(COPIES)
  const wrong = all(WRONG_ROWS)
  database.exec('DROP TABLE temp.log; DROP TABLE temp.changes')
  return {
    previous: all('SELECT id, previous FROM check_ins ORDER BY id'),
    changes: all('SELECT id, device, at, profile, previous FROM profile_changes ORDER BY id'),
    wrong,
  }
}

/** The same history, recounted from every check-in in the log. */
export function recountedHistory(database: Connection) {
  const last = new Map<number, { id: number; profile: number; change: number }>()
  const previous: number[][] = []
  const changes: number[][] = []
  const log = database.prepare<[], [number, number, number, number]>(
    'SELECT id, device, at, profile FROM check_ins ORDER BY id',
  )
  for (const [id, device, at, profile] of log.raw().all()) {
    const before = device === 0 ? undefined : last.get(device)
    previous.push([id, before?.id ?? 0])
    if (device === 0) continue
    const changed = before?.profile !== profile
    if (changed) changes.push([id, device, at, profile, before?.change ?? 0])
    last.set(device, { id, profile, change: changed ? id : (before?.change ?? 0) })
  }
  return { previous, changes, wrong: [] }
}
