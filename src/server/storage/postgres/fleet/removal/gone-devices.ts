import { deviceCell, eachWeighedCell } from '../../../../fleet/health/cells.ts'
import {
  intervalOf,
  phaseOf,
  progressOf,
  releaseOf,
} from '../../../../fleet/health/packed-episode.ts'
import { dayOf } from '../../../../fleet/time.ts'
import type { Transaction } from '../../connection/database.ts'

/** The columns of `GoingDevice`, of `devices`. */
export const GOING = `devices.id, devices.profile, devices.last_seen AS "lastSeen", devices.episode,
  devices.evidence`
/** The order in which every transaction locks devices. */
export const KEY_ORDER = 'devices.app_key, devices.device_id'

/** A device that is to be deleted, as it was when it was locked. */
export interface GoingDevice {
  readonly id: number
  readonly profile: number
  readonly lastSeen: number
  readonly episode: number
  readonly evidence: number
}

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
  const cells = [{ release, cell: deviceCell(phase, interval, lastSeen) }]
  eachWeighedCell(phase, interval, lastSeen, evidence, (cell) => cells.push({ release, cell }))
  return cells
}
