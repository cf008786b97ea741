import type { DeviceName, InstallProfile } from '../../../../fleet/facts.ts'
import type { DeviceReads, DeviceViews, FleetReads } from '../../../../fleet/store.ts'
import { seenSince } from '../../../../fleet/time.ts'
import { ABOVE_ALL } from '../../../shared/id-ranges.ts'
import { loggedEpisode, readKind, stageOf } from '../../../shared/ingest/check-in-kind.ts'
import type { PostgresDatabase } from '../../connection/database.ts'
import { named } from '../../connection/statements.ts'
import { labelsFromText } from '../ingest/stored-labels.ts'

/** The columns of a profile that may be gone. */
const PROFILE = 'profiles.channel_key AS "channelKey", profiles.version, platform, arch'

/** The number of the release in a kind: above the room of kinds, and that of stages. */
const RELEASE = '(kind >> 13)'

const SQL = {
  device: `SELECT channel_key AS "channelKey", version, platform, arch,
      coalesce(labels, '{}') AS labels, first_seen AS "firstSeen", last_seen AS "lastSeen"
    FROM devices JOIN profiles ON profiles.id = devices.profile
      LEFT JOIN device_labels ON device_labels.device = devices.id
    WHERE app_key = $1 AND device_id = $2`,
  profiles: `SELECT device_id AS "deviceId", ${PROFILE} FROM unnest($2::text[]) AS asked (name)
      JOIN devices ON app_key = $1 AND device_id = name
      JOIN profiles ON profiles.id = devices.profile`,
  // Ids of check-ins rise within a node only.
  history: `SELECT at, ${PROFILE} FROM devices
    JOIN profile_changes ON profile_changes.device = devices.id
    LEFT JOIN profiles ON profiles.id = profile_changes.profile
    WHERE app_key = $1 AND device_id = $2 ORDER BY at DESC, profile_changes.id DESC LIMIT $3`,
  // OFFSET 0 keeps the search of one id in the log, which looks at one partition, from becoming a join with all of them.
  checkIns: named(`WITH RECURSIVE chain AS (
      SELECT found.*, 1 AS step FROM devices CROSS JOIN LATERAL (
        SELECT * FROM check_ins WHERE check_ins.id = coalesce(@from::bigint, last_check_in)
          AND check_ins.device = devices.id OFFSET 0
      ) AS found WHERE app_key = @app AND device_id = @device AND @limit::integer > 0
      UNION ALL
      SELECT found.*, step + 1 FROM chain CROSS JOIN LATERAL (
        SELECT * FROM check_ins WHERE check_ins.id = chain.previous
          AND check_ins.device = chain.device OFFSET 0
      ) AS found WHERE chain.previous <> 0 AND step < @limit
    )
    SELECT chain.id, chain.at, kind::bigint, detail, offered_releases.version AS offered, ${PROFILE}
    FROM chain LEFT JOIN profiles ON profiles.id = chain.profile
      LEFT JOIN offered_releases ON number = ${RELEASE}
      LEFT JOIN outcome_details ON release = ${RELEASE} AND check_in = chain.id
    ORDER BY step`),
  active: named(`SELECT ${PROFILE}, day, week, month, quarter FROM (
      SELECT profile, count(*) AS quarter, count(*) FILTER (WHERE last_seen >= @month::bigint) AS month,
        count(*) FILTER (WHERE last_seen >= @week::bigint) AS week,
        count(*) FILTER (WHERE last_seen >= @day::bigint) AS day
      FROM devices WHERE last_seen >= @quarter::bigint GROUP BY profile
    ) AS seen JOIN profiles ON profiles.id = seen.profile ORDER BY profiles.id`),
  // Ids are printable ASCII, so what begins with a prefix is one range.
  beginning: `SELECT app AS "appKey", device_id AS "deviceId"
    FROM unnest($1::integer[]) WITH ORDINALITY AS apps (app, place) CROSS JOIN LATERAL (
      SELECT device_id FROM devices WHERE app_key = app
        AND lower(device_id) >= lower($2::text COLLATE "C")
        AND lower(device_id) < lower($2::text COLLATE "C") || '${ABOVE_ALL}'
      ORDER BY lower(device_id), device_id LIMIT $3
    ) AS found ORDER BY place, lower(device_id), device_id LIMIT $3`,
} as const

interface DeviceRow extends InstallProfile {
  /** JSON. */
  readonly labels: string
  readonly firstSeen: number
  readonly lastSeen: number
}

type NoProfile = { readonly [Fact in keyof InstallProfile]: null }
type ChangeRow = (InstallProfile | NoProfile) & { readonly at: number }

type CheckInRow = ChangeRow & {
  readonly id: number
  /** See `readKind`. */
  readonly kind: number
  readonly detail: string | null
  /** The version of the release that the device was last offered. */
  readonly offered: string | null
}

type ActiveRow = InstallProfile & Readonly<Record<'day' | 'week' | 'month' | 'quarter', number>>

type NamedProfile = InstallProfile & Pick<DeviceName, 'deviceId'>

type Views = Pick<DeviceReads, 'profilesOf'> &
  Pick<FleetReads, 'device'> &
  Pick<DeviceViews, 'history' | 'checkIns' | 'activeDevices' | 'devicesBeginning'>

/** Reads committed devices. `settle`: awaited before, but not to find some by their ids. */
export function deviceViews(
  database: PostgresDatabase,
  settle: () => Promise<void> = async () => {},
): Views {
  // In a transaction, because nothing is compiled there.
  const uncompiled = <Row>(...query: Parameters<typeof database.rows<Row>>) =>
    database.transaction((tx) => tx.rows<Row>(...query), { snapshot: true })
  return {
    async device(appKey, deviceId) {
      await settle()
      const row = await database.row<DeviceRow>(SQL.device, [appKey, deviceId])
      if (row === undefined) return undefined
      const { labels, firstSeen, lastSeen, ...profile } = row
      return { appKey, deviceId, profile, labels: labelsFromText(labels), firstSeen, lastSeen }
    },
    async profilesOf(appKey, deviceIds) {
      if (deviceIds.length === 0) return []
      await settle()
      const asked = [...new Set(deviceIds)]
      const rows = await database.rows<NamedProfile>(SQL.profiles, [appKey, asked])
      const found = new Map(rows.map(({ deviceId, ...profile }) => [deviceId, profile]))
      return deviceIds.map((deviceId) => found.get(deviceId))
    },
    async history({ appKey, deviceId }, limit) {
      await settle()
      const rows = await database.rows<ChangeRow>(SQL.history, [appKey, deviceId, limit])
      return rows.map((row) => ({ at: row.at, profile: profileOf(row) }))
    },
    async checkIns({ appKey, deviceId }, from, limit) {
      await settle()
      const start = { app: appKey, device: deviceId, from: from ?? null, limit }
      const rows = await uncompiled<CheckInRow>(SQL.checkIns, start)
      return rows.map((row) => {
        const { id, at, kind, detail, offered } = row
        const release = offered === null ? undefined : { version: offered }
        const episode = loggedEpisode(stageOf(kind), { get: () => release })
        return { id, at, ...readKind(kind), profile: profileOf(row), episode, detail: detail ?? '' }
      })
    },
    async activeDevices(now) {
      await settle()
      const rows = await uncompiled<ActiveRow>(SQL.active, {
        ...{ day: seenSince('24h', now), week: seenSince('7d', now) },
        ...{ month: seenSince('30d', now), quarter: seenSince('90d', now) },
      })
      return rows.map(({ day, week, month, quarter, ...profile }) => {
        return { profile, seen: { '24h': day, '7d': week, '30d': month, '90d': quarter } }
      })
    },
    // Ids that differ in case only are next to each other.
    devicesBeginning: (appKeys, prefix, limit) =>
      database.rows(SQL.beginning, [appKeys, prefix, limit]),
  }
}

function profileOf(row: InstallProfile | NoProfile): InstallProfile | null {
  if (row.channelKey === null) return null
  const { channelKey, version, platform, arch } = row
  return { channelKey, version, platform, arch }
}
