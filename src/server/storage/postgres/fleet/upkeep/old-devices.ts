import type { DeviceRule } from '../../../../fleet/store.ts'
import type { PostgresDatabase, Transaction } from '../../connection/database.ts'
import { named } from '../../connection/statements.ts'
import { deleteDevices, GOING, type GoingDevice, KEY_ORDER } from '../removal/gone-devices.ts'
import { retried } from './retried.ts'

/** Devices of one transaction. */
const SLICE = 500
/** Milliseconds that a slice waits for a counter. */
const LOCK_TIME = 1_000
/** Below every time. */
const NEVER = Number.MIN_SAFE_INTEGER

// After a second check-in, the newest change is an older one, unless the version changed.
const STALE = `(last_seen < @before::bigint OR (last_seen < @onceBefore::bigint AND keyed = 0
  AND first_seen = last_seen AND last_check_in = last_change))`

const SQL = {
  // No index: one pass over the devices takes less than keeping one with every check-in.
  next: named(`SELECT id FROM devices WHERE id > @after AND ${STALE} ORDER BY id LIMIT ${SLICE}`),
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
    const found = await database.rows<{ id: number }>(SQL.next, { ...rule, after })
    const ids = found.map(({ id }) => id)
    const remove = (tx: Transaction) => deleteSlice(tx, ids, rule)
    if (ids.length > 0) {
      yield await retried(() => database.transaction(remove, { lockTime: LOCK_TIME }))
    }
    if (ids.length < SLICE) return
    after = ids.at(-1) ?? after
  }
}

async function deleteSlice(
  tx: Transaction,
  ids: readonly number[],
  rule: DeviceRule,
): Promise<number> {
  const devices = await tx.rows<GoingDevice>(SQL.lock, { ...rule, ids })
  await deleteDevices(tx, devices)
  return devices.length
}
