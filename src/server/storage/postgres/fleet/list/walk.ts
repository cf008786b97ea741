import { compareRunning } from '../../../../fleet/charts/summary.ts'
import type { DeviceCursor, DeviceQuery } from '../../../../fleet/device-query.ts'
import type { Queries } from '../../connection/queries.ts'
import { named } from '../../connection/statements.ts'
import { both, type Condition } from './matching.ts'
import type { CountedProfile } from './profiles.ts'

/** The columns of `ListedRow` apart from the labels. */
const COLUMNS = `devices.id, devices.device_id AS "deviceId", devices.profile,
  devices.first_seen AS "firstSeen", devices.last_seen AS "lastSeen"`

const KEYS = {
  lastSeen: { column: 'devices.last_seen', output: '"lastSeen"', type: 'bigint' },
  firstSeen: { column: 'devices.first_seen', output: '"firstSeen"', type: 'bigint' },
  deviceId: { column: 'devices.device_id', output: '"deviceId"', type: 'text COLLATE "C"' },
} as const

/** A device of a page. */
export interface ListedRow {
  readonly id: number
  readonly deviceId: string
  readonly profile: number
  readonly firstSeen: number
  readonly lastSeen: number
  /** JSON. */
  readonly labels: string
}

/** Where a page begins and how it goes on. */
export interface Place {
  readonly cursor: DeviceCursor | undefined
  /** Whether keys fall from row to row, in the direction of the walk. */
  readonly downwards: boolean
  /** Most rows. */
  readonly limit: number
}

/** Returns the place of a query: one row more than its page, in the direction in which it is read. */
export function placeOf({ cursor, descending, backward, limit }: DeviceQuery): Place {
  return { cursor, downwards: descending !== backward, limit: limit + 1 }
}

/** Reads the next devices that match, in the order of a key and then of their numbers. */
export async function walkByKey(
  snapshot: Queries,
  sort: keyof typeof KEYS,
  matches: Condition,
  { cursor, downwards, limit }: Place,
): Promise<ListedRow[]> {
  const { column, output, type } = KEYS[sort]
  const [than, order] = downwards ? ['<', 'DESC'] : ['>', 'ASC']
  const parts = cursor === undefined ? [matches] : [matches, beyond(cursor)]
  const { sql, parameters } = both(...parts)
  const statement = named(
    withLabels(
      `SELECT ${COLUMNS} FROM devices WHERE ${sql}
        ORDER BY ${column} ${order}, devices.id ${order} LIMIT @limit`,
      `${output} ${order}, found.id ${order}`,
    ),
  )
  return await snapshot.rows<ListedRow>(statement, { ...parameters, limit })

  function beyond({ key, device }: DeviceCursor): Condition {
    // No device has the id of another one of its app.
    const sql =
      sort === 'deviceId'
        ? `${column} ${than} @key::${type}`
        : `(${column}, devices.id) ${than} (@key::${type}, @device::bigint)`
    return { sql, parameters: sort === 'deviceId' ? { key } : { key, device } }
  }
}

/** A profile, and the place of its version in the order of a list. */
export interface RankedProfile {
  readonly id: number
  readonly rank: number
  /** Only devices beyond this number; undefined for all. */
  readonly after: number | undefined
}

/** Reads the next devices of profiles in the order of their ranks, and then of their numbers, each by an index. */
async function walkByRank(
  snapshot: Queries,
  profiles: readonly RankedProfile[],
  { sql, parameters }: Condition,
  { downwards, limit }: Omit<Place, 'cursor'>,
): Promise<ListedRow[]> {
  const [than, order] = downwards ? ['<', 'DESC'] : ['>', 'ASC']
  const statement = named(
    withLabels(
      `SELECT page.*, rank FROM unnest(@ids::integer[], @ranks::integer[], @afters::bigint[])
          AS wanted (wanted_id, rank, after) CROSS JOIN LATERAL (
        SELECT ${COLUMNS} FROM devices WHERE devices.profile = wanted_id AND ${sql}
          AND (after IS NULL OR devices.id ${than} after) ORDER BY devices.id ${order} LIMIT @limit
      ) AS page ORDER BY rank, page.id ${order} LIMIT @limit`,
      `rank, found.id ${order}`,
    ),
  )
  return await snapshot.rows<ListedRow>(statement, {
    ...parameters,
    ids: profiles.map(({ id }) => id),
    ranks: profiles.map(({ rank }) => rank),
    afters: profiles.map(({ after }) => after ?? null),
    limit,
  })
}

/** Counts the devices that match. Reads all of them where no index finds them. */
export async function countMatching(
  snapshot: Queries,
  { sql, parameters }: Condition,
): Promise<number> {
  const statement = named(`SELECT count(*) AS devices FROM devices WHERE ${sql}`)
  return (await snapshot.row<{ devices: number }>(statement, parameters))?.devices ?? 0
}

function withLabels(found: string, order: string): string {
  return `SELECT found.*, coalesce(labels, '{}') AS labels FROM (${found}) AS found
    LEFT JOIN device_labels ON device_labels.device = found.id ORDER BY ${order}`
}

interface VersionList {
  readonly matches: Condition
  /** The profiles that are listed. */
  readonly profiles: readonly CountedProfile[]
  /** Whether every device of these profiles matches. */
  readonly isWhole: boolean
  readonly query: DeviceQuery
}

/** Reads the next devices in the order of their versions, and then of their numbers. */
export async function walkByVersion(
  snapshot: Queries,
  { matches, profiles, isWhole, query }: VersionList,
): Promise<ListedRow[]> {
  const { cursor, downwards, limit } = placeOf(query)
  const sign = downwards ? -1 : 1
  const from = cursor === undefined ? undefined : String(cursor.key)
  const versions = [...new Set(profiles.map(({ version }) => version))]
    .filter((version) => from === undefined || sign * compareRunning(version, from) >= 0)
    .sort((one, two) => sign * compareRunning(one, two))
  const ranked: RankedProfile[] = []
  let devices = 0
  for (const [rank, version] of versions.entries()) {
    // Of the version of the cursor, only some devices are left.
    const after = version === from ? cursor?.device : undefined
    for (const profile of profiles) {
      if (profile.version !== version) continue
      ranked.push({ id: profile.id, rank, after })
      if (after === undefined) devices += profile.devices
    }
    if (isWhole && devices >= limit) break
  }
  return await walkByRank(snapshot, ranked, matches, { downwards, limit })
}
