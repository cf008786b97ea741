import { dayOf, days, hourOf } from '../../../../../src/server/fleet/time.ts'
import type { PostgresDatabase } from '../../../../../src/server/storage/postgres/connection/database.ts'
import { firstIdOf } from '../../../../../src/server/storage/postgres/fleet/ingest/id-blocks.ts'
import { ensurePartitions } from '../../../../../src/server/storage/postgres/fleet/upkeep/partitions.ts'
import { COUNTER_WIDTH, TRAFFIC_WIDTH } from '../../../../../src/server/storage/shared/batch.ts'
import { Counters } from '../../../../../src/server/storage/shared/ingest/counters.ts'
import { insert } from './open-database.ts'

export const NOW = Date.parse('2026-03-14T12:30:00Z')
const HOUR = days(1) / 24
/** Check-ins are spread over that many days up to `NOW`. */
const SPREAD = days(12)
const SLOTS = 3

export const APP = 1
export const OTHER_APP = 2
export const CHANNELS = [
  { key: 1, app: APP, name: 'stable' },
  { key: 2, app: APP, name: 'beta' },
  { key: 3, app: OTHER_APP, name: 'stable' },
] as const

export interface SeededProfile {
  readonly id: number
  readonly channelKey: number
  readonly app: number
  readonly version: string
  readonly platform: string
  readonly arch: string
}

export const PROFILES: readonly SeededProfile[] = CHANNELS.flatMap(({ key, app }, channel) =>
  ['1.0.0', '1.1.0', '2.0.0'].flatMap((version, row) =>
    ['darwin', 'linux'].map((platform, column) => {
      const id = channel * 6 + row * 2 + column + 1
      return { id, channelKey: key, app, version, platform, arch: 'x86_64' }
    }),
  ),
)

export interface SeededCheckIn {
  readonly id: number
  readonly device: number
  readonly deviceId: string
  readonly app: number
  readonly at: number
  readonly profile: SeededProfile
  readonly previous: number
}

/** Stores two apps with three channels, and their profiles, but no devices. */
export async function storeProfiles(database: PostgresDatabase): Promise<void> {
  const created = '2026-01-01T00:00:00.000Z'
  const apps = [APP, OTHER_APP].map((key) => [key, `app-${key}`, `ref-${key}`, 'App', created])
  await insert(database, 'apps', 'key, id, ref, name, created_at', apps)
  const columns =
    'key, app_key, name, update_mode, minimum_supported_version, rollback, created_at, revision'
  const channels = CHANNELS.map(({ key, app, name }) => {
    return [key, app, name, 'optional', '0.0.0', 'downgrade', created, 1]
  })
  await insert(database, 'channels', columns, channels)
  const profiles = PROFILES.map((p) => [p.id, p.channelKey, p.version, p.platform, p.arch])
  await insert(database, 'profiles', 'id, channel_key, version, platform, arch', profiles)
}

/**
 * Stores what three nodes would store of `count` check-ins of 40 devices, each at any of them, and returns the check-ins,
 * oldest first. The ids of one node are above those of another, as in production.
 */
export async function seedFleet(
  database: PostgresDatabase,
  count = 1_500,
): Promise<readonly SeededCheckIn[]> {
  await storeProfiles(database)
  for (let at = NOW - SPREAD; at <= NOW; at += days(1)) await ensurePartitions(database, at)
  const random = randomNumbers(7)
  const times = Array.from({ length: count }, () => NOW - random(SPREAD)).sort((a, b) => a - b)
  const log: SeededCheckIn[] = []
  const counters = Array.from({ length: SLOTS }, () => new Counters())
  const last = new Map<number, SeededCheckIn>()
  for (const [index, at] of times.entries()) {
    const device = 1 + random(40)
    const app = device % 4 === 0 ? OTHER_APP : APP
    const choices = PROFILES.filter((profile) => profile.app === app)
    const before = last.get(device)
    const moved = choices[random(choices.length)]
    const profile = before !== undefined && random(3) > 0 ? before.profile : moved
    if (profile === undefined) throw new Error('no profile')
    const slot = random(SLOTS)
    const id = firstIdOf(dayOf(at)) + slot * 1_000_000 + index
    const previous = before?.id ?? 0
    const checkIn = { id, device, deviceId: `Device-${device}`, app, at, profile, previous }
    const counted = counters[slot]
    if (before === undefined) counted?.deviceCame(profile.id, at)
    else counted?.deviceMoved(before.profile.id, before.at, profile.id, at)
    counted?.checkedIn(profile.channelKey, at, random(5) === 0, random(3) === 0)
    last.set(device, checkIn)
    log.push(checkIn)
  }
  for (const [slot, counted] of counters.entries()) await storeCounters(database, slot + 1, counted)
  await storeDevices(database, log)
  return log
}

async function storeCounters(database: PostgresDatabase, slot: number, counters: Counters) {
  const { adoption, hourly, presence, traffic } = counters.take()
  const rowsOf = (packed: Float64Array, width: number) =>
    Array.from({ length: packed.length / width }, (_, row) => [
      slot,
      ...packed.subarray(row * width, (row + 1) * width),
    ])
  const cells = (packed: Float64Array) => rowsOf(packed, COUNTER_WIDTH)
  await insert(database, 'adoption', 'slot, profile, day, devices', cells(adoption))
  await insert(database, 'hourly_adoption', 'slot, profile, hour, devices', cells(hourly))
  await insert(database, 'presence', 'slot, profile, day, devices', cells(presence))
  const columns = 'slot, channel_key, hour, check_ins, anonymous, offers'
  await insert(database, 'traffic', columns, rowsOf(traffic, TRAFFIC_WIDTH))
}

async function storeDevices(database: PostgresDatabase, log: readonly SeededCheckIn[]) {
  const columns = 'id, device, at, profile, kind, previous'
  const logged = log.map((c) => [c.id, c.device, c.at, c.profile.id, 1, c.previous])
  await insert(database, 'check_ins', columns, logged)
  const changes = log.filter((checkIn) => isChange(log, checkIn))
  const changed = changes.map((c) => [c.device, c.id, c.at, c.profile.id])
  await insert(database, 'profile_changes', 'device, id, at, profile', changed)
  const rows = [...lastOf(log).values()].map((newest) => {
    const { device, app, deviceId } = newest
    const own = log.filter((c) => c.device === device)
    const change = changes.findLast((c) => c.device === device)
    const [first] = own
    return [device, app, deviceId, newest.profile.id, first?.at, newest.at, newest.id, change?.id]
  })
  const facts = 'id, app_key, device_id, profile, first_seen, last_seen, last_check_in, last_change'
  await insert(database, 'devices', facts, rows)
}

/** Returns whether a check-in brought another profile. */
export function isChange(log: readonly SeededCheckIn[], checkIn: SeededCheckIn): boolean {
  const before = log.find(({ id }) => id === checkIn.previous)
  return before?.profile !== checkIn.profile
}

/** Returns the last check-in of each device, by its id. */
export function lastOf(log: readonly SeededCheckIn[]): Map<number, SeededCheckIn> {
  return new Map(log.map((checkIn) => [checkIn.device, checkIn]))
}

/** Returns the last check-in of each device in each hour or day. */
export function lastInSteps(
  log: readonly SeededCheckIn[],
  unit: 'hour' | 'day',
): (SeededCheckIn & { step: number })[] {
  const stepOf = unit === 'hour' ? hourOf : dayOf
  const last = new Map<string, SeededCheckIn & { step: number }>()
  for (const checkIn of log) {
    const step = stepOf(checkIn.at)
    last.set(`${checkIn.device} ${step}`, { ...checkIn, step })
  }
  return [...last.values()]
}

/** Returns how many of the items have each key. */
export function tally<Item>(
  items: Iterable<Item>,
  keyOf: (item: Item) => string,
): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const item of items) counts[keyOf(item)] = (counts[keyOf(item)] ?? 0) + 1
  return counts
}

export { HOUR }

/** Returns whole numbers from 0 to below a limit, the same in every run. */
function randomNumbers(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}
