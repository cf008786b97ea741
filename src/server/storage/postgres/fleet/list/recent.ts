import { dayOf, hourOf } from '../../../../fleet/time.ts'
import type { Queries } from '../../connection/database.ts'
import { firstIdOf } from '../check-in-ids.ts'
import { both, type Condition } from './matching.ts'
import { type ListedRow, type Place, walkByKey } from './walk.ts'

/** Milliseconds of the shortest and the longest span that is looked through. */
const SHORTEST = 1_000
const LONGEST = 6 * 3_600_000
/** By which the next span is longer, if one has too few devices. */
const FACTOR = 8
/** Check-ins for each row of a page that a first span should have. */
const CHECK_INS = 4
/** Milliseconds before now from which no check-in is deleted, whatever the rule. */
const KEPT = 24 * 3_600_000

const SQL = {
  // The log has an index: reading all of it would take longer than reading all devices, and a few pages take less time than
  // the start of other workers.
  noScans: 'SET LOCAL enable_seqscan = off; SET LOCAL max_parallel_workers_per_gather = 0',
  scans: `SET LOCAL enable_seqscan TO DEFAULT;
    SET LOCAL max_parallel_workers_per_gather TO DEFAULT`,
  traffic: `SELECT coalesce(sum(check_ins), 0) AS "checkIns" FROM traffic
    WHERE channel_key = ANY($1) AND hour BETWEEN $2 - 1 AND $2`,
} as const

const FROM = 'at >= @from::bigint AND id >= @fromId::bigint'
const TO = 'at <= @to::bigint AND id < @toId::bigint'

export interface RecentList {
  /** The condition of the list, and of how many devices of the app it is true, roughly: from 0 to 1. */
  readonly matches: Condition
  readonly share: number
  readonly appChannels: readonly number[]
  readonly place: Place
  /** Unix ms. */
  readonly now: number
}

/**
 * Finds the devices that were seen last, or next to the cursor, in the order of that time: by the newest check-ins in the log,
 * because an index of the devices by that time would be written with every check-in. Looks through longer and longer spans of
 * time. Returns undefined if it finds too few in the longest one, or cannot tell; then all devices must be sorted.
 */
export async function walkRecent(
  snapshot: Queries,
  { matches, share, appChannels, place, now }: RecentList,
): Promise<ListedRow[] | undefined> {
  const { cursor, downwards, limit } = place
  const key = cursor === undefined ? undefined : Number(cursor.key)
  if (!downwards && (key === undefined || key < now - KEPT)) return undefined
  const start = key ?? now
  const row = await snapshot.row<{ checkIns: number }>(SQL.traffic, [appChannels, hourOf(now)])
  const each = 7_200_000 / Math.max(1, (row?.checkIns ?? 0) * share)
  let span = Math.max(SHORTEST, Math.ceil(CHECK_INS * limit * each))
  await snapshot.run(SQL.noScans)
  try {
    for (; span <= LONGEST; span *= FACTOR) {
      const from = downwards ? start - span : start
      const to = downwards ? key : start + span
      const rows = await walkByKey(snapshot, 'lastSeen', both(matches, inLog(from, to)), place)
      // A device that is not among them was seen outside of the span, so beyond all of them.
      if (rows.length === limit) return rows
    }
    return undefined
  } finally {
    await snapshot.run(SQL.scans)
  }
}

/** The check-in of that time is in the log, under an id of its day. `to`: undefined for the newest. */
function inLog(from: number, to: number | undefined): Condition {
  const isOpen = to === undefined
  const seen = `SELECT DISTINCT device FROM check_ins WHERE ${isOpen ? FROM : `${FROM} AND ${TO}`}`
  const sql = `devices.last_seen >= @from::bigint ${isOpen ? '' : 'AND devices.last_seen <= @to::bigint'}
    AND devices.id = ANY(ARRAY(${seen}))`
  const parameters = { from, fromId: firstIdOf(dayOf(from)) }
  return {
    sql,
    parameters: isOpen ? parameters : { ...parameters, to, toId: firstIdOf(dayOf(to) + 1) },
  }
}
