import { eachCell } from '../../../../fleet/health/cells.ts'
import {
  intervalOf,
  phaseOf,
  progressOf,
  releaseOf,
} from '../../../../fleet/health/packed-episode.ts'
import { dayOf } from '../../../../fleet/time.ts'
import type { NewDevice } from '../../../shared/batch.ts'
import type { Queries, Transaction } from '../../connection/queries.ts'

/** The columns of `GoingDevice`, of `devices`. */
export const GOING = `devices.id, devices.profile, devices.last_seen AS "lastSeen", devices.episode,
  devices.evidence`
/** The order in which every transaction locks devices. */
export const KEY_ORDER = 'devices.app_key, devices.device_id'

/** A device that is to be deleted, as it was when it was locked. */
export type GoingDevice = Pick<NewDevice, 'id' | 'profile' | 'lastSeen' | 'episode' | 'evidence'>

const SQL = {
  delete: `WITH gone AS (DELETE FROM devices WHERE id = ANY($1::bigint[])),
      changes AS (DELETE FROM profile_changes WHERE device = ANY($1::bigint[])),
      labels AS (DELETE FROM device_labels WHERE device = ANY($1::bigint[]))
    DELETE FROM outcome_details WHERE device = ANY($1::bigint[])`,
  leave: `INSERT INTO presence AS known (profile, day, slot, devices)
    SELECT profile, day, 0, -count(*) FROM unnest($1::integer[], $2::integer[]) AS gone (profile, day)
    GROUP BY profile, day ORDER BY profile, day
    ON CONFLICT (profile, day, slot) DO UPDATE SET devices = known.devices + excluded.devices`,
  // Nothing is counted of a release that is gone.
  leaveRelease: `INSERT INTO release_counts AS known (release, cell, slot, devices)
    SELECT number, cell, 0, -count(*) FROM unnest($1::integer[], $2::integer[]) AS gone (release, cell)
      JOIN offered_releases ON number = release
    GROUP BY number, cell ORDER BY number, cell
    ON CONFLICT (release, cell, slot) DO UPDATE SET devices = known.devices + excluded.devices`,
} as const

/**
 * Deletes devices that the transaction has locked, with all that is stored of them except their check-ins, and counts them
 * out of what they count for now. On past days they stay counted.
 */
export async function deleteDevices(
  tx: Transaction,
  devices: readonly GoingDevice[],
): Promise<void> {
  if (devices.length === 0) return
  await tx.run(SQL.delete, [devices.map(({ id }) => id)])
  const days = devices.map(({ lastSeen }) => dayOf(lastSeen))
  await tx.run(SQL.leave, [devices.map(({ profile }) => profile), days])
  const counted = devices.filter(({ episode }) => releaseOf(episode) !== 0)
  if (counted.length === 0) return
  const cells = counted.flatMap(cellsOf)
  const releases = cells.map(({ release }) => release)
  await tx.run(SQL.leaveRelease, [releases, cells.map(({ cell }) => cell)])
}

/** All that a device counts in now. */
function cellsOf({ episode, lastSeen, evidence }: GoingDevice) {
  const [release, progress] = [releaseOf(episode), progressOf(episode)]
  const [phase, interval] = [phaseOf(progress), intervalOf(progress)]
  const cells: { readonly release: number; readonly cell: number }[] = []
  eachCell(phase, interval, lastSeen, evidence, (cell) => cells.push({ release, cell }))
  return cells
}

const ON_CHANNELS = `profile = ANY(ARRAY(
  SELECT profiles.id FROM profiles WHERE channel_key = ANY($1::integer[])))`

const CHANNEL_SQL = {
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
  const row = await queries.row<{ more: boolean }>(CHANNEL_SQL.isMore, [channels, than])
  return row?.more === true
}

/** Deletes at most `limit` devices of the channels. Returns how many: 0 if there are none, or none that stayed. */
export async function deleteSome(
  tx: Transaction,
  channels: readonly number[],
  limit: number,
): Promise<number> {
  const devices = await tx.rows<GoingDevice>(CHANNEL_SQL.lock, [channels, limit])
  await deleteDevices(tx, devices)
  return devices.length
}
