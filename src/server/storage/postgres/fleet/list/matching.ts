import type {
  DeviceFilter,
  DeviceHealthFilter,
  DeviceSearch,
} from '../../../../fleet/device-query.ts'
import { FIRST_HOUR } from '../../../../fleet/health/cells.ts'
import { phaseOfState, WAITING } from '../../../../fleet/health/episode.ts'
import { packEpisode } from '../../../../fleet/health/packed-episode.ts'
import { silence } from '../../../../fleet/health/release-counts.ts'
import {
  FIRST_INTERVAL,
  SILENT_AFTER,
  SILENT_INTERVALS,
} from '../../../../fleet/health/usual-interval.ts'
import { hourOf } from '../../../../fleet/time.ts'
import { ABOVE_ALL } from '../../../shared/id-ranges.ts'
import type { Queries } from '../../connection/queries.ts'
import { labelsToText } from '../ingest/stored-labels.ts'
import { busyHours } from '../reads/health-reads.ts'

/** A condition on `devices`, and its parameters by name. */
export interface Condition {
  readonly sql: string
  readonly parameters: Readonly<Record<string, unknown>>
}

const OF_APP = `devices.app_key = @app AND devices.profile = ANY(@profiles::integer[])`

const BEGINNING = `app_key = @app AND lower(device_id) >= lower(@prefix::text COLLATE "C")
  AND lower(device_id) < lower(@prefix::text COLLATE "C") || '${ABOVE_ALL}'`
const LABELLED = {
  value: 'labels @> @label::jsonb',
  // Any value: no index knows keys alone.
  key: 'jsonb_exists(labels, @labelKey::text)',
}

/** Seconds of the episode's usual interval; see `packProgress`. */
const INTERVAL = `coalesce(nullif((devices.episode % 134217728) >> 5, 0), ${FIRST_INTERVAL})`
/** As `deviceCell` of a device that waits. */
const SILENT_FROM = `greatest(${FIRST_HOUR}, ceil((devices.last_seen / 1000.0
  + greatest(${SILENT_AFTER}, ${SILENT_INTERVALS} * ${INTERVAL})) / 3600))`
const PHASE = '(devices.episode & 7)'

/** Returns which devices a filter means. `profiles`: those that it accepts. `snapshot`: of one transaction. */
export async function matching(
  snapshot: Queries,
  { appKey, seenSince, search, health }: DeviceFilter,
  profiles: readonly number[],
): Promise<Condition> {
  const parts: (Condition | undefined)[] = [
    { sql: OF_APP, parameters: { app: appKey, profiles } },
    seenSince > 0
      ? { sql: 'devices.last_seen >= @seenSince::bigint', parameters: { seenSince } }
      : undefined,
    search && found(search),
    health && (await inState(snapshot, health)),
  ]
  return both(...parts.filter((part) => part !== undefined))
}

/** Returns the condition that all of them hold. Parameters with one name must be the same. */
export function both(...conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.map(({ sql }) => `(${sql})`).join(' AND '),
    parameters: Object.assign({}, ...conditions.map(({ parameters }) => parameters)),
  }
}

function found({ prefix, label }: DeviceSearch): Condition {
  if (label === undefined) return { sql: BEGINNING, parameters: { prefix } }
  const { key, value } = label
  const labelled = value === undefined ? LABELLED.key : LABELLED.value
  const parameters =
    value === undefined ? { labelKey: key } : { label: labelsToText({ [key]: value }) }
  const sql = `devices.id IN (SELECT id FROM devices WHERE ${BEGINNING}
    UNION SELECT device FROM device_labels WHERE ${labelled})`
  return { sql, parameters: { prefix, ...parameters } }
}

async function inState(
  snapshot: Queries,
  { releaseId, states, now }: DeviceHealthFilter,
): Promise<Condition> {
  const number = `SELECT number FROM offered_releases WHERE release_id = $1`
  const release = await snapshot.row<{ number: number }>(number, [releaseId])
  const from = packEpisode(release?.number ?? 0, 0)
  const phases = states.map(phaseOfState).filter((phase) => phase !== WAITING)
  const silentThrough =
    states.includes('silent') === states.includes('waiting') ? 0 : await lastSilent(snapshot, now)
  const waits = {
    silent: `${SILENT_FROM} <= @silentThrough::bigint`,
    waiting: `${SILENT_FROM} > @silentThrough::bigint`,
  }
  const wanted = (['silent', 'waiting'] as const).filter((state) => states.includes(state))
  const waiting =
    wanted.length === 0 ? 'false' : wanted.length === 2 ? 'true' : waits[wanted[0] ?? 'silent']
  return {
    sql: `devices.episode >= @episodes::bigint AND devices.episode < @episodesEnd::bigint
      AND devices.episode > 134217727 AND CASE WHEN ${PHASE} = ${WAITING} THEN ${waiting}
        ELSE ${PHASE} = ANY(@phases::integer[]) END`,
    parameters: {
      episodes: from,
      episodesEnd: packEpisode((release?.number ?? 0) + 1, 0),
      phases,
      silentThrough,
    },
  }
}

/** The last hour of a cell whose devices are silent: all before it are, too, because each hour makes one of difference. */
async function lastSilent(snapshot: Queries, now: number): Promise<number> {
  const hour = hourOf(now)
  const isSilent = silence(hour, await busyHours(snapshot, hour))
  let due = hour
  while (due >= FIRST_HOUR && !isSilent(due)) due--
  return due
}
