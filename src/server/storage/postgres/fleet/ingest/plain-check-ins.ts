import type { CheckIn } from '../../../../fleet/check-in.ts'
import { kindOf } from '../../../shared/ingest/check-in-kind.ts'
import type { OfferedReleases } from '../../../shared/memory/offered-releases.ts'
import type { KnownProfile } from '../../../shared/memory/profile-tree.ts'
import { integers, texts } from '../../connection/arrays.ts'
import type { Transaction } from '../../connection/queries.ts'
import type { LockedDevice } from './batch-devices.ts'
import type { IdBlocks } from './id-blocks.ts'
import type { KnownProfiles } from './known-profiles.ts'
import type { NamedDevice } from './slice-facts.ts'

const MEET = `SELECT devices::text, moves::text, waits::text, stored::text, held::text
  FROM meet_devices_3($1, $2, $3, $4, $5, $6, $7, $8, $9)`

/**
 * A check-in that changes nothing but times and the number of offers, if its device runs that profile, and waits for no release
 * or is offered its own again.
 */
export interface PlainCheckIn {
  readonly checkIn: CheckIn
  readonly running: KnownProfile
  /** The number of the release that the device is offered; 0 for none. */
  readonly offered: number
  /** Its id in the log. */
  readonly id: number
}

/** Devices whose last check-in was in one hour, and now is in another (since 1970-01-01 UTC). */
export interface HourMove {
  readonly profile: number
  readonly before: number
  readonly hour: number
  readonly devices: number
}

/** A device that waits for a release, before and after it was offered that again. Times are Unix milliseconds. */
export interface Wait {
  readonly before: number
  readonly episode: number
  readonly lastSeen: number
  readonly at: number
  readonly evidence: number
}

/** The stored devices of a slice, whose rows the transaction has locked. */
export interface MetDevices {
  /** Those that need more than a plain check-in, and those with labels. */
  readonly rows: readonly LockedDevice[]
  /** The check-ins that were stored. */
  readonly stored: readonly PlainCheckIn[]
  /** What these change in the counters of devices. */
  readonly moves: readonly HourMove[]
  /** What they change in the counters of releases. */
  readonly waits: readonly Wait[]
  /** Profiles that are not removed until the transaction ends. */
  readonly held: readonly number[]
}

/** Returns for each device the check-in that may be plain. Takes an id for each: those must be reserved. */
export function plainCheckIns(
  devices: readonly NamedDevice[],
  profiles: KnownProfiles,
  releases: OfferedReleases,
  ids: IdBlocks,
): (PlainCheckIn | undefined)[] {
  return devices.map(({ only }) => {
    if (only === undefined || only.outcome !== undefined || only.reason === 'rollback')
      return undefined
    const isOffered = only.reason === 'update' && only.offered !== undefined
    const offered = isOffered ? releases.find(only.offered.id) : 0
    if (isOffered && offered === 0) return undefined
    const running = profiles.find(only.profile)
    // What counts as other can have changed without a change of the profile.
    if (running?.profile.version !== only.profile.version) return undefined
    profiles.name(running, only.profile.namedBy)
    return { checkIn: only, running, offered, id: ids.checkIn(only.at) }
  })
}

/**
 * Locks the rows of devices, in the order given, and stores the check-ins that are plain. `plain`: for each device. `wanted`:
 * profiles that are to be held. Devices that are not stored are left out, and so are profiles that are gone or going. Rejects
 * with `StorageError`.
 */
export async function meetDevices(
  tx: Transaction,
  devices: readonly NamedDevice[],
  plain: readonly (PlainCheckIn | undefined)[],
  wanted: ReadonlySet<number>,
): Promise<MetDevices> {
  const met = await tx.row<
    Record<'devices' | 'moves' | 'waits' | 'stored' | 'held', string | null>
  >(MEET, [
    integers(devices, ({ appKey }) => appKey),
    texts(devices, ({ deviceId }) => deviceId),
    integers(plain, (each) => each?.running.profile.id ?? 0),
    integers(plain, (each) => each?.offered ?? 0),
    integers(plain, (each) => each?.checkIn.at ?? 0),
    integers(plain, (each) => each?.id ?? -1),
    integers(plain, (each) =>
      each === undefined ? 0 : kindOf(each.checkIn.source, each.checkIn.reason),
    ),
    integers(devices, ({ isLabelled }) => (isLabelled ? 1 : 0)),
    integers([...wanted], (id) => id),
  ])
  return {
    rows: parsed<LockedRow>(met?.devices).map(lockedDevice),
    moves: parsed<readonly [number, number, number, number]>(met?.moves).map(
      ([profile, before, hour, count]) => ({ profile, before, hour, devices: count }),
    ),
    waits: parsed<readonly [number, number, number, number, number]>(met?.waits).map(
      ([before, episode, lastSeen, at, evidence]) => ({ before, episode, lastSeen, at, evidence }),
    ),
    stored: parsed<number>(met?.stored).flatMap((place) => plain[place - 1] ?? []),
    held: parsed<number>(met?.held),
  }
}

type LockedRow = readonly [
  ...[place: number, tid: string, id: number, profile: number, lastSeen: number],
  ...[lastCheckIn: number, lastChange: number, episode: number, offeredAt: number],
  ...[firstSeen: number, evidence: number],
]

function lockedDevice(row: LockedRow): LockedDevice {
  const [place, tid, id, profile, lastSeen, lastCheckIn, lastChange, ...rest] = row
  const [episode, offeredAt, firstSeen, evidence] = rest
  const seen = { profile, firstSeen, lastSeen, lastCheckIn, lastChange }
  return { place, tid, id, ...seen, episode, offeredAt, evidence }
}

function parsed<Item>(json: string | null | undefined): readonly Item[] {
  return json == null ? [] : JSON.parse(json)
}
