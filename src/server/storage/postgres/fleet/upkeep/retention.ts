import { KEPT_CHANGES } from '../../../../fleet/facts.ts'
import type { CheckInRule, DeviceRule } from '../../../../fleet/store.ts'
import { dayOf, hourOf } from '../../../../fleet/time.ts'
import type { PostgresDatabase } from '../../connection/database.ts'
import type { Transaction } from '../../connection/queries.ts'
import { named } from '../../connection/statements.ts'
import { deleteDevices, GOING, type GoingDevice, KEY_ORDER } from '../removal/gone-devices.ts'
import { deleteOldHours, foldCounters, foldReleaseCounts } from './folding.ts'
import { dropPartitions, ensurePartitions, summarize } from './partitions.ts'
import { retried } from './retried.ts'

/** Changes above the limit that a device may have, so that most devices with many are left alone. */
const SLACK = 25
/** Devices of one statement. */
const SLICE = 200

const SQL = {
  long: `SELECT device FROM profile_changes GROUP BY device HAVING count(*) > ${KEPT_CHANGES + SLACK}`,
  cut: `DELETE FROM profile_changes WHERE (device, id) IN (
    SELECT device, id FROM (
      SELECT device, id, row_number() OVER (PARTITION BY device ORDER BY at DESC, id DESC) AS place
      FROM profile_changes WHERE device = ANY($1::bigint[])
    ) AS ranked WHERE place > ${KEPT_CHANGES})`,
} as const

/** Cuts version histories with more than 125 changes to the newest 100. Yields after every slice. Throws `StorageError`. */
async function* cutHistories(database: PostgresDatabase): AsyncGenerator<void, void> {
  const long = (await database.rows<{ device: number }>(SQL.long)).map(({ device }) => device)
  for (let at = 0; at < long.length; at += SLICE) {
    const devices = long.slice(at, at + SLICE)
    await retried(() => database.run(SQL.cut, [devices]))
    yield
  }
}

/** Reads when any device was seen last, in Unix milliseconds; 0 if there is none. Rejects with `StorageError`. */
export async function newestSeen(database: PostgresDatabase): Promise<number> {
  const newest = 'SELECT coalesce(max(last_seen), 0) AS at FROM devices'
  return (await database.row<{ at: number }>(newest))?.at ?? 0
}

/**
 * Returns what does as `FleetUpkeep.retainCheckIns`, for all nodes: one of them does it at a time, but several could. Deletes
 * whole UTC days of check-ins, and keeps the log ready for new ones. Once an hour, folds counters and deletes hourly ones
 * that no chart shows; once a day, cuts long histories. Throws `StorageError`.
 */
export function checkInRetention(database: PostgresDatabase) {
  // The hour in which counters were folded last, and the day on which histories were cut.
  let [hoursDoneIn, historiesDoneOn] = [0, 0]
  return async function* retainCheckIns({ before, now }: CheckInRule): AsyncGenerator<void, void> {
    await ensurePartitions(database, now)
    await summarize(database, now)
    if (before !== undefined) await dropPartitions(database, before)
    yield
    if (hoursDoneIn !== hourOf(now)) {
      for (const fold of [foldCounters, foldReleaseCounts, deleteOldHours]) {
        await fold(database, now)
        yield
      }
      hoursDoneIn = hourOf(now)
    }
    if (historiesDoneOn === dayOf(now)) return
    yield* cutHistories(database)
    historiesDoneOn = dayOf(now)
  }
}

/** Devices of one transaction. */
const DELETED_AT_ONCE = 500
/** Milliseconds that a slice waits for a counter. */
const LOCK_TIME = 1_000
/** Below every time. */
const NEVER = Number.MIN_SAFE_INTEGER

// After a second check-in, the newest change is an older one, unless the version changed.
const STALE = `(last_seen < @before::bigint OR (last_seen < @onceBefore::bigint AND keyed = 0
  AND first_seen = last_seen AND last_check_in = last_change))`

const OLD_SQL = {
  // No index: one pass over the devices takes less than keeping one with every check-in.
  next: named(
    `SELECT id FROM devices WHERE id > @after AND ${STALE} ORDER BY id LIMIT ${DELETED_AT_ONCE}`,
  ),
  // One that checks in just now is not old.
  lock: named(`SELECT ${GOING} FROM devices WHERE id = ANY(@ids::bigint[]) AND ${STALE}
    ORDER BY ${KEY_ORDER} FOR UPDATE SKIP LOCKED`),
} as const

/**
 * Deletes devices that were not seen for a long time, in the order of their numbers. Yields how many it deleted after every
 * slice. Throws `StorageError`.
 */
export async function* deleteOldDevices(
  database: PostgresDatabase,
  { before, onceBefore }: DeviceRule,
): AsyncGenerator<number, void> {
  const rule = { before: Math.max(NEVER, before), onceBefore: Math.max(NEVER, onceBefore) }
  if (rule.before === NEVER && rule.onceBefore === NEVER) return
  let after = 0
  for (;;) {
    const found = await database.rows<{ id: number }>(OLD_SQL.next, { ...rule, after })
    const ids = found.map(({ id }) => id)
    const remove = (tx: Transaction) => deleteSlice(tx, ids, rule)
    if (ids.length > 0) {
      yield await retried(() => database.transaction(remove, { lockTime: LOCK_TIME }))
    }
    if (ids.length < DELETED_AT_ONCE) return
    after = ids.at(-1) ?? after
  }
}

async function deleteSlice(
  tx: Transaction,
  ids: readonly number[],
  rule: DeviceRule,
): Promise<number> {
  const devices = await tx.rows<GoingDevice>(OLD_SQL.lock, { ...rule, ids })
  await deleteDevices(tx, devices)
  return devices.length
}
