import type { LabelMap } from '../../../../../shared/names.ts'
import type {
  InstallProfile,
  ScannedDevice,
  ScannedState,
  ScanTicket,
} from '../../../../fleet/facts.ts'
import { REVERTED } from '../../../../fleet/health/episode.ts'
import {
  intervalOf,
  phaseOf,
  progressOf,
  releaseOf,
} from '../../../../fleet/health/packed-episode.ts'
import { NO_LABELS } from '../../../../fleet/labels.ts'
import { PostgresDatabase } from '../../connection/database.ts'
import { storageError } from '../../connection/errors.ts'
import { labelsFromText } from '../ingest/stored-labels.ts'

/** Devices read at once. */
const SLICE = 5_000

const SQL = {
  begin: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL jit = off',
  profiles: `SELECT id, channel_key AS "channelKey", version, platform, arch FROM profiles
    WHERE channel_key = $1`,
  fetch: `FETCH ${SLICE} FROM scanned`,
} as const

/** Devices of one channel of a PostgreSQL database. */
export interface PostgresScanTicket extends ScanTicket {
  readonly store: 'postgres'
  /** With the password. */
  readonly url: string
  readonly channelKey: number
  /** The number of the release that the scan is about; 0 for none. */
  readonly release: number
}

interface Row {
  readonly deviceId: string
  readonly profile: number
  /** JSON; null for none. */
  readonly labels: string | null
  readonly firstSeen: number
  readonly lastSeen: number
  readonly episode: number
  readonly evidence: number
  readonly revertedAt: number | null
}

class PostgresScannedDevice implements ScannedDevice {
  readonly deviceId: string
  readonly profile: InstallProfile
  readonly #row: Row
  readonly #release: number

  constructor(row: Row, profile: InstallProfile, release: number) {
    this.deviceId = row.deviceId
    this.profile = profile
    this.#row = row
    this.#release = release
  }

  get labels(): LabelMap {
    const { labels } = this.#row
    return labels === null ? NO_LABELS : labelsFromText(labels)
  }

  get state(): ScannedState {
    const { firstSeen, lastSeen, episode, evidence, revertedAt } = this.#row
    const progress = progressOf(episode)
    return {
      ...{ firstSeen, lastSeen, evidence, revertedAt },
      ...{ interval: intervalOf(progress), phase: phaseOf(progress) },
      isOffered: this.#release !== 0 && releaseOf(episode) === this.#release,
    }
  }
}

/**
 * Reads the committed devices of a scan slice by slice, all in one snapshot, on a connection of its own. Throws
 * `StorageError`.
 */
export async function* readPostgresScan(
  ticket: ScanTicket,
): AsyncGenerator<readonly ScannedDevice[], void> {
  if (!isOfPostgres(ticket)) throw new Error(`no devices can be read from ${ticket.store}`)
  const database = new PostgresDatabase(ticket.url, 1)
  try {
    const client = await database.connect()
    // A connection that ends between two slices would end the process otherwise; the next slice fails.
    client.on('error', () => {})
    try {
      await client.query(SQL.begin)
      type Profile = InstallProfile & { readonly id: number }
      const { rows } = await client.query<Profile>(SQL.profiles, [ticket.channelKey])
      const byId = new Map(rows.map(({ id, ...profile }) => [id, profile]))
      await client.query(cursorOver(byId.keys()))
      for (;;) {
        const slice = (await client.query<Row>(SQL.fetch)).rows
        yield slice.flatMap((row) => {
          const profile = byId.get(row.profile)
          return profile === undefined
            ? []
            : new PostgresScannedDevice(row, profile, ticket.release)
        })
        if (slice.length < SLICE) return
      }
    } finally {
      await client.end()
    }
  } catch (error) {
    throw storageError(error, database.location)
  } finally {
    await database.close()
  }
}

/** A cursor takes no parameters. */
function cursorOver(profiles: Iterable<number>): string {
  return `DECLARE scanned NO SCROLL CURSOR FOR
    SELECT device_id AS "deviceId", devices.profile, labels, first_seen AS "firstSeen",
      last_seen AS "lastSeen", episode, evidence,
      CASE WHEN episode & 7 = ${REVERTED} THEN (SELECT at FROM profile_changes AS change
        WHERE change.device = devices.id AND change.id = last_change) END AS "revertedAt"
    FROM devices
      LEFT JOIN device_labels ON device_labels.device = devices.id
    WHERE devices.profile = ANY('{${[...profiles].join()}}'::integer[])`
}

function isOfPostgres(ticket: ScanTicket): ticket is PostgresScanTicket {
  return ticket.store === 'postgres'
}
