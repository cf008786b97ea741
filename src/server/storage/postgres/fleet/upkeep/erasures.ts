import type { DeviceName } from '../../../../fleet/facts.ts'
import type { PostgresDatabase } from '../../connection/database.ts'
import type { Queries, Transaction } from '../../connection/queries.ts'
import { deleteDevices, GOING, type GoingDevice, KEY_ORDER } from '../removal/gone-devices.ts'
import { retried } from './retried.ts'

/** Requests returned at once. */
const SLICE = 100

const NAMED = 'unnest($1::integer[], $2::text[]) AS named (app, name)'

/** Where the facts of a batch that was set aside name a device; see `Fact`. */
const FACTS = ['checkIn', 'report', 'delta']

const SQL = {
  pending: `SELECT app_key AS "appKey", device_id AS "deviceId" FROM erasures
    ORDER BY app_key, device_id LIMIT ${SLICE}`,
  isPending: 'SELECT 1 FROM erasures WHERE app_key = $1 AND device_id = $2',
  lock: `SELECT ${GOING} FROM ${NAMED} JOIN devices ON app_key = app AND device_id = name
    ORDER BY ${KEY_ORDER} FOR UPDATE OF devices`,
  carriedOut: `DELETE FROM erasures USING ${NAMED} WHERE app_key = app AND device_id = name`,
  asides: `DELETE FROM set_aside WHERE EXISTS (SELECT 1 FROM ${NAMED} WHERE ${FACTS.map(
    (fact) =>
      `facts -> '${fact}' ->> 'appKey' = app::text AND facts -> '${fact}' ->> 'deviceId' = name`,
  ).join(' OR ')})`,
} as const

/** Reads some of the pending requests to forget a device. Rejects with `StorageError`, as the others do. */
export function pendingErasures(queries: Queries): Promise<DeviceName[]> {
  return queries.rows(SQL.pending)
}

/** Returns whether a request is pending. */
export async function isErasurePending(
  queries: Queries,
  { appKey, deviceId }: DeviceName,
): Promise<boolean> {
  return (await queries.row(SQL.isPending, [appKey, deviceId])) !== undefined
}

/**
 * Carries out requests to forget devices, in one transaction, and removes the requests from the list. Works beside any
 * number of nodes, and without one.
 */
export async function forgetDevices(
  database: PostgresDatabase,
  names: readonly DeviceName[],
): Promise<void> {
  if (names.length === 0) return
  await retried(() => database.transaction((tx) => forget(tx, names)))
}

async function forget(tx: Transaction, names: readonly DeviceName[]): Promise<void> {
  const named = [names.map(({ appKey }) => appKey), names.map(({ deviceId }) => deviceId)]
  await deleteDevices(tx, await tx.rows<GoingDevice>(SQL.lock, named))
  await tx.run(SQL.asides, named)
  await tx.run(SQL.carriedOut, named)
}
