import { dayOf, hourOf } from '../../../../fleet/time.ts'
import type { Queries } from '../../connection/queries.ts'
import { named } from '../../connection/statements.ts'
import { firstIdOf } from '../ingest/id-blocks.ts'
import { both, type Condition } from './matching.ts'
import { type ListedRow, type Place, walkByKey } from './walk.ts'

/** Milliseconds of the shortest and the longest span that is looked through. */
const SHORTEST = 10
const LONGEST = 6 * 3_600_000
/** By which the next span is longer or shorter. */
const FACTOR = 8
/** Check-ins for each row of a page that a span should have. */
const CHECK_INS = 2
/** How many times more it must not have: all of them are read. */
const TOO_MANY = 3
/** Of those that a span should have, as many more are expected of the first one, so that it is not too short. */
const EXPECTED = 1.5
/** With more to read than this, sorting all devices takes less time. */
const MOST_WANTED = 50_000
/** Spans that are measured for one page. */
const TRIES = 12
/** Milliseconds before now from which no check-in is deleted, whatever the rule. */
const KEPT = 24 * 3_600_000

const SQL = {
  // The log has an index: reading all of it would take longer than reading all devices, and a few pages take less time than
  // the start of other workers.
  noScans: 'SET LOCAL enable_seqscan = off; SET LOCAL max_parallel_workers_per_gather = 0',
  scans: `SET LOCAL enable_seqscan TO DEFAULT;
    SET LOCAL max_parallel_workers_per_gather TO DEFAULT`,
  traffic: `SELECT coalesce(sum(check_ins) FILTER (WHERE channel_key = ANY($1)), 0) AS own,
      coalesce(sum(check_ins), 0) AS "ofAll"
    FROM traffic WHERE hour BETWEEN $2 - 1 AND $2`,
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
  /** Where such a page was found the last time. */
  readonly before: RecentSpan | undefined
}

/** A span of the log in which a page was found. */
export interface RecentSpan {
  /** Its earliest time: Unix ms. */
  readonly from: number
  /** Milliseconds for each check-in in it. */
  readonly pace: number
}

export interface RecentPage {
  readonly rows: ListedRow[]
  readonly span: RecentSpan
}

/**
 * Finds the devices that were seen last, or next to the cursor, in the order of that time: by the newest check-ins in the log,
 * because an index of the devices by that time would be written with every check-in. Looks through a span of time that has
 * enough check-ins, and not many more, and through longer ones while devices are missing. Returns undefined if it finds too
 * few in the longest one, or cannot tell; then all devices must be sorted.
 */
export async function walkRecent(
  snapshot: Queries,
  { matches, share, appChannels, place, now, before }: RecentList,
): Promise<RecentPage | undefined> {
  const { cursor, downwards, limit } = place
  const key = cursor === undefined ? undefined : Number(cursor.key)
  if (!downwards && (key === undefined || key < now - KEPT)) return undefined
  const start = key ?? now
  const within = (span: number) =>
    downwards ? { from: start - span, to: key } : { from: start, to: start + span }
  const { pace, ofApp } = await trafficOf(snapshot, appChannels, now)
  // For those of devices that match.
  let wanted = Math.ceil((CHECK_INS * limit) / Math.max(1e-6, ofApp * share))
  // While no check-ins come, the span begins where it began; while they do, it is as long as it was.
  const likely =
    before === undefined
      ? [Math.max(SHORTEST, wanted * pace)]
      : [start - before.from, wanted * EXPECTED * before.pace]
  await snapshot.run(SQL.noScans)
  try {
    for (; wanted <= MOST_WANTED; wanted *= FACTOR) {
      const most = wanted * TOO_MANY
      const count = (tried: number) => countLog(snapshot, within(tried), most)
      const { span, counted } = await fittingSpan(likely, wanted, most, count)
      likely.splice(0, likely.length, span)
      const rows = await walkByKey(snapshot, 'lastSeen', both(matches, inLog(within(span))), place)
      // A device that is not among them was seen outside of the span, so beyond all of them.
      if (rows.length === limit) {
        return { rows, span: { from: start - span, pace: span / Math.max(1, counted) } }
      }
      if (span === LONGEST) break
    }
    return undefined
  } finally {
    await snapshot.run(SQL.scans)
  }
}

/**
 * Returns milliseconds for each check-in in the log, and how many of them are of the app, from 0 to 1: as the counters of the
 * last hours say, which is roughly how it is now.
 */
async function trafficOf(
  snapshot: Queries,
  appChannels: readonly number[],
  now: number,
): Promise<{ readonly pace: number; readonly ofApp: number }> {
  const row = await snapshot.row<{ own: number; ofAll: number }>(SQL.traffic, [
    appChannels,
    hourOf(now),
  ])
  const ofAll = Math.max(1, row?.ofAll ?? 0)
  return { pace: 7_200_000 / ofAll, ofApp: (row?.own ?? 0) / ofAll }
}

/** From one time to another (Unix ms); `to`: undefined for the newest. */
interface Span {
  readonly from: number
  readonly to: number | undefined
}

/**
 * Returns a length of time, up to the longest, for which `count` is between two numbers, and that count; one with more or
 * fewer if none is found after a few tries. `likely`: what to try first.
 */
async function fittingSpan(
  likely: readonly number[],
  fewest: number,
  most: number,
  count: (span: number) => Promise<number>,
): Promise<{ readonly span: number; readonly counted: number }> {
  let [low, high] = [0, Number.POSITIVE_INFINITY]
  const rounded = (length: number) => Math.min(LONGEST, Math.max(1, Math.ceil(length)))
  const lengths = likely.map(rounded)
  let span = lengths.shift() ?? LONGEST
  for (let tried = 1; ; tried++) {
    const counted = await count(span)
    if (counted >= most) high = span
    else if (counted < fewest && span < LONGEST) low = span
    else return { span, counted }
    if (high <= 1 || tried === TRIES) return { span, counted }
    const untried = lengths.splice(0).find((length) => length > low && length < high)
    span = untried ?? rounded(next(low, high))
  }
}

function next(low: number, high: number): number {
  if (high === Number.POSITIVE_INFINITY) return low * FACTOR
  return low === 0 ? high / FACTOR : Math.sqrt(low * high)
}

/** How many check-ins the log has in a span; at most `most`. */
async function countLog(snapshot: Queries, span: Span, most: number): Promise<number> {
  const { sql, parameters } = seenIn(span)
  const statement = named(
    `SELECT count(*) AS n FROM (SELECT FROM check_ins WHERE ${sql} LIMIT @most) AS found`,
  )
  return (await snapshot.row<{ n: number }>(statement, { ...parameters, most }))?.n ?? 0
}

/** The devices that have a check-in of that time in the log. */
function inLog(span: Span): Condition {
  const { sql, parameters } = seenIn(span)
  return {
    sql: `devices.last_seen >= @from::bigint ${span.to === undefined ? '' : 'AND devices.last_seen <= @to::bigint'}
      AND devices.id = ANY(ARRAY(SELECT DISTINCT device FROM check_ins WHERE ${sql}))`,
    parameters,
  }
}

/** A check-in is of that time, under an id of its day. */
function seenIn({ from, to }: Span): Condition {
  const parameters = { from, fromId: firstIdOf(dayOf(from)) }
  if (to === undefined) return { sql: FROM, parameters }
  return {
    sql: `${FROM} AND ${TO}`,
    parameters: { ...parameters, to, toId: firstIdOf(dayOf(to) + 1) },
  }
}
