import type { Queries, Transaction } from '../../connection/database.ts'
import { deleteDevices, GOING, type GoingDevice, KEY_ORDER } from './gone-devices.ts'

const ON_CHANNELS = `profile = ANY(ARRAY(
  SELECT profiles.id FROM profiles WHERE channel_key = ANY($1::integer[])))`

const SQL = {
  isMore: `SELECT count(*) > $2 AS more FROM (
    SELECT 1 FROM devices WHERE ${ON_CHANNELS} LIMIT $2 + 1) AS found`,
  // One that has moved to another channel meanwhile is left out: the lock sees its newest row.
  lock: `SELECT ${GOING} FROM devices
    WHERE id = ANY(ARRAY(SELECT id FROM devices WHERE ${ON_CHANNELS} LIMIT $2))
      AND devices.${ON_CHANNELS} ORDER BY ${KEY_ORDER} FOR UPDATE`,
} as const

/** Returns whether the channels have more devices than that. */
export async function hasMoreDevices(
  queries: Queries,
  channels: readonly number[],
  than: number,
): Promise<boolean> {
  const row = await queries.row<{ more: boolean }>(SQL.isMore, [channels, than])
  return row?.more === true
}

/** Deletes at most `limit` devices of the channels. Returns how many: 0 if there are none, or none that stayed. */
export async function deleteSome(
  tx: Transaction,
  channels: readonly number[],
  limit: number,
): Promise<number> {
  const devices = await tx.rows<GoingDevice>(SQL.lock, [channels, limit])
  await deleteDevices(tx, devices)
  return devices.length
}
