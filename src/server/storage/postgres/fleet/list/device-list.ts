import type { DeviceCursor, DevicePage, DeviceQuery } from '../../../../fleet/device-query.ts'
import type { DeviceViews } from '../../../../fleet/store.ts'
import { choicesOf } from '../../../shared/listed-profiles.ts'
import type { PostgresDatabase } from '../../connection/database.ts'
import type { Transaction } from '../../connection/queries.ts'
import { labelsFromText } from '../ingest/stored-labels.ts'
import { type Condition, matching } from './matching.ts'
import { accepted, type CountedProfile, countedProfiles, devicesOf } from './profiles.ts'
import { type RecentSpan, walkRecent } from './recent.ts'
import { countMatching, type ListedRow, placeOf, walkByKey, walkByVersion } from './walk.ts'

/** Up to as many devices are sorted. */
const FEW = 5_000

const SQL = {
  limit: "SET LOCAL statement_timeout = '20s'",
} as const

export interface DeviceListOptions {
  /** Unix ms, as check-ins have it. */
  readonly clock?: (() => number) | undefined
  /** Up to as many devices are sorted; more are found by an order in which they are stored. */
  readonly few?: number | undefined
}

/** What a page is made of. */
interface List {
  readonly query: DeviceQuery
  readonly profiles: readonly CountedProfile[]
  readonly matches: Condition
  /** Whether every device of these profiles matches. */
  readonly isWhole: boolean
  /** Devices of the app. */
  readonly known: number
}

/**
 * Pages through the devices of an app, each page in one snapshot. Ids, arrivals and profiles have indexes, which check-ins do
 * not write; the devices seen last are found by the log. Totals come from the counters, and are counted where a filter is
 * about more than profiles. Other orders of many devices read all of them: some tenths of a second for a million.
 */
export class PostgresDeviceList implements Pick<DeviceViews, 'devices'> {
  readonly #database: PostgresDatabase
  readonly #clock: () => number
  readonly #few: number
  /** By app: where its newest devices were found last. */
  readonly #spans = new Map<number, RecentSpan>()

  constructor(database: PostgresDatabase, options: DeviceListOptions = {}) {
    const { clock = Date.now, few = FEW } = options
    this.#database = database
    this.#clock = clock
    this.#few = few
  }

  /**
   * As `DeviceViews.devices`: the first page if the cursor leaves less than a page before it, or nothing after it. The offset
   * is counted from page to page: what came or went before the page meanwhile is not in it. Rejects with `StorageError`, also
   * if it takes more than 20 seconds.
   */
  devices(query: DeviceQuery): Promise<DevicePage> {
    return this.#database.transaction((snapshot) => this.#page(snapshot, query), { snapshot: true })
  }

  async #page(snapshot: Transaction, asked: DeviceQuery): Promise<DevicePage> {
    await snapshot.run(SQL.limit)
    const ofApp = await countedProfiles(snapshot, asked.appChannels)
    const profiles = accepted(ofApp, asked)
    const ids = profiles.map(({ id }) => id)
    const matches = await matching(snapshot, asked, ids)
    const { search, health, seenSince } = asked
    const isWhole = search === undefined && health === undefined && seenSince <= 0
    const list = { query: asked, profiles, matches, isWhole, known: devicesOf(ofApp) }
    let query = asked
    let rows = await this.#rows(snapshot, list)
    if (asked.cursor !== undefined && rows.length < (asked.backward ? asked.limit : 1)) {
      query = { ...asked, cursor: undefined, backward: false }
      rows = await this.#rows(snapshot, { ...list, query })
    }
    return {
      ...pageOf(query, rows, profiles),
      total: await totalOf(snapshot, { ...list, query }, rows),
      known: list.known,
      ...choicesOf(ofApp.map((profile) => [profile, profile.devices])),
    }
  }

  /** One row more than the page, if there is one, in the direction of the walk. */
  async #rows(snapshot: Transaction, list: List): Promise<ListedRow[]> {
    const { query, profiles, matches, known } = list
    if (profiles.length === 0) return []
    if (query.sort === 'version') return await walkByVersion(snapshot, list)
    const place = placeOf(query)
    const devices = devicesOf(profiles)
    // Those that a search finds are too few among those seen last.
    if (query.sort === 'lastSeen' && query.search === undefined && devices > this.#few) {
      const share = devices / Math.max(1, known)
      const { appKey, appChannels } = query
      const before = query.cursor === undefined ? this.#spans.get(appKey) : undefined
      const recent = { matches, share, appChannels, place, now: this.#clock(), before }
      const page = await walkRecent(snapshot, recent)
      if (page !== undefined) {
        if (query.cursor === undefined) this.#spans.set(appKey, page.span)
        return page.rows
      }
    }
    return await walkByKey(snapshot, query.sort, matches, place)
  }
}

async function totalOf(
  snapshot: Transaction,
  { query, profiles, matches, isWhole }: List,
  rows: readonly ListedRow[],
): Promise<number> {
  if (isWhole) return devicesOf(profiles)
  if (query.cursor === undefined && rows.length <= query.limit) return rows.length
  return await countMatching(snapshot, matches)
}

/** `DevicePage.offset`, by what the cursor says. */
function offsetOf({ cursor, backward }: DeviceQuery, rows: number): number | undefined {
  if (cursor === undefined) return 0
  if (!backward || cursor.before === undefined) return cursor.before
  return Math.max(0, cursor.before - rows)
}

function pageOf(
  query: DeviceQuery,
  walked: readonly ListedRow[],
  profiles: readonly CountedProfile[],
): Pick<DevicePage, 'rows' | 'offset' | 'previous' | 'next'> {
  const { sort, cursor, backward, limit } = query
  const isMore = walked.length > limit
  const page = walked.slice(0, limit)
  if (backward) page.reverse()
  const [hasPrevious, hasNext] = backward ? [isMore, true] : [cursor !== undefined, isMore]
  const byId = new Map(profiles.map((profile) => [profile.id, profile]))
  const offset = hasPrevious ? offsetOf(query, page.length) : 0
  const cursorOf = (row: ListedRow | undefined, passed: number): DeviceCursor | undefined => {
    if (row === undefined) return undefined
    const key = sort === 'version' ? (byId.get(row.profile)?.version ?? '') : row[sort]
    return { key, device: row.id, before: offset === undefined ? undefined : offset + passed }
  }
  return {
    rows: page.flatMap(({ deviceId, profile, firstSeen, lastSeen, labels }) => {
      const known = byId.get(profile)
      if (known === undefined) return []
      const { channelKey, version, platform, arch } = known
      const facts = { channelKey, version, platform, arch }
      return [{ deviceId, profile: facts, labels: labelsFromText(labels), firstSeen, lastSeen }]
    }),
    offset,
    previous: hasPrevious ? cursorOf(page[0], 0) : undefined,
    next: hasNext ? cursorOf(page.at(-1), page.length) : undefined,
  }
}
