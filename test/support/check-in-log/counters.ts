import type Database from 'better-sqlite3'
import { readKind } from '../../../src/server/storage/fleet/ingest/check-in.ts'
import { dataFile, openDatabase } from '../../../src/server/storage/sqlite/database.ts'

/** A row of the check-in log, oldest first. */
export interface LoggedCheckIn {
  readonly device: number
  readonly at: number
  readonly profile: number
  readonly channelKey: number
  readonly version: string
  readonly reason: string | null
}

type Counts = Record<string, number>

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Hours of hourly adoption that are compared: fewer than are kept. */
const LAST_HOURS = 168

/** Opens the database of a data folder on which no server runs. */
export function openFolder(dataFolder: string): Database.Database {
  return openDatabase(dataFile(dataFolder), { readonly: true })
}

export function checkInsOf(database: Database.Database): LoggedCheckIn[] {
  const sql = `SELECT device, at, profile, channel_key AS channelKey, version, kind
    FROM check_ins JOIN profiles ON profiles.id = profile ORDER BY check_ins.id`
  return database
    .prepare<[], Omit<LoggedCheckIn, 'reason'> & { kind: number }>(sql)
    .all()
    .map(({ kind, ...row }) => ({ ...row, reason: readKind(kind).reason }))
}

/** The counters as they are stored; cells of zero are left out. */
export function storedCounters(database: Database.Database) {
  const cells = (sql: string): Counts =>
    Object.fromEntries(database.prepare<[], [string, number]>(sql).raw().all())
  return {
    hourly: cells(
      `SELECT profile || ' ' || hour, devices FROM hourly_adoption
        WHERE devices > 0 AND hour > (SELECT max(hour) FROM traffic) - ${LAST_HOURS}`,
    ),
    adoption: cells("SELECT profile || ' ' || day, devices FROM adoption WHERE devices > 0"),
    presence: cells("SELECT profile || ' ' || day, devices FROM presence WHERE devices > 0"),
    checkIns: cells(
      "SELECT channel_key || ' ' || hour, check_ins FROM traffic WHERE check_ins > 0",
    ),
    anonymous: cells(
      "SELECT channel_key || ' ' || hour, anonymous FROM traffic WHERE anonymous > 0",
    ),
    offers: cells("SELECT channel_key || ' ' || hour, offers FROM traffic WHERE offers > 0"),
  }
}

/** The same counters, counted anew from the check-in log. */
export function recount(checkIns: readonly LoggedCheckIn[]): ReturnType<typeof storedCounters> {
  const lastOfDay = new Map<string, string>()
  const lastOfHour = new Map<string, string>()
  const compared = Math.floor((checkIns.at(-1)?.at ?? 0) / HOUR) - LAST_HOURS
  const last = new Map<number, string>()
  const traffic: Record<'checkIns' | 'anonymous' | 'offers', Counts> = {
    checkIns: {},
    anonymous: {},
    offers: {},
  }
  for (const { device, at, profile, channelKey, reason } of checkIns) {
    const hourNumber = Math.floor(at / HOUR)
    const hour = `${channelKey} ${hourNumber}`
    const day = Math.floor(at / DAY)
    count(traffic.checkIns, hour)
    if (device === 0) count(traffic.anonymous, hour)
    if (reason === 'update' || reason === 'rollback') count(traffic.offers, hour)
    if (device === 0) continue
    lastOfDay.set(`${device} ${day}`, `${profile} ${day}`)
    if (hourNumber > compared) lastOfHour.set(`${device} ${hourNumber}`, `${profile} ${hourNumber}`)
    last.set(device, `${profile} ${day}`)
  }
  const adoption: Counts = {}
  const hourly: Counts = {}
  const presence: Counts = {}
  for (const cell of lastOfHour.values()) count(hourly, cell)
  for (const cell of lastOfDay.values()) count(adoption, cell)
  for (const cell of last.values()) count(presence, cell)
  return { hourly, adoption, presence, ...traffic }
}

function count(counts: Counts, cell: string): void {
  counts[cell] = (counts[cell] ?? 0) + 1
}
