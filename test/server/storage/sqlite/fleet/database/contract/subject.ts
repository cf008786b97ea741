import type { InstallProfile } from '../../../../../../../src/server/fleet/facts.ts'
import type { FleetReads } from '../../../../../../../src/server/fleet/store.ts'
import type {
  NewDevice,
  NumberedProfile,
  StoredProfile,
  TelemetryBatch,
  TelemetryDatabase,
} from '../../../../../../../src/server/storage/shared/batch.ts'
import { DeviceTable } from '../../../../../../../src/server/storage/shared/memory/device-table.ts'

/** A database beside two apps, and the keys of these. */
export interface FleetUnderTest {
  readonly store: TelemetryDatabase & FleetReads
  /** Closes the store and opens what it stored again. */
  readonly reopen: () => Promise<TelemetryDatabase & FleetReads>
  readonly app: number
  readonly otherApp: number
  /** Channels of `app`. */
  readonly stable: number
  readonly beta: number
  readonly close: () => void | Promise<void>
}

export const DAY = 86_400_000
export const AT = Date.UTC(2026, 2, 14, 9, 26, 53)

/** What the contract writes to: a database of its own for every test. */
export class FleetSubject {
  #keys: FleetUnderTest | undefined
  #number = 0

  begin(keys: FleetUnderTest): void {
    this.#keys = keys
    this.#number = 0
  }

  get keys(): FleetUnderTest {
    if (this.#keys === undefined) throw new Error('no test has begun')
    return this.#keys
  }

  get store(): TelemetryDatabase & FleetReads {
    return this.keys.store
  }

  /** What they run. */
  get installations(): readonly NumberedProfile[] {
    const { stable, beta } = this.keys
    return [
      profile(1, stable, '1.0.0'),
      profile(2, stable, '1.1.0'),
      profile(3, beta, '2.0.0-rc.1+build.7', '', ''),
      profile(4, stable, '1.1.0', 'darwin', 'aarch64'),
    ]
  }

  /** The same, without their numbers. */
  get running(): readonly InstallProfile[] {
    return this.installations.map(({ id: _id, ...profile }) => profile)
  }

  get profiles(): readonly StoredProfile[] {
    const { app: appKey } = this.keys
    return this.installations.map((installed) => ({
      ...installed,
      appKey,
      namedBy: 1,
      lastDay: 20_526,
    }))
  }

  /** Commits the next batch. */
  commit(parts: Partial<TelemetryBatch>): Promise<number> {
    return this.store.commit(batch(++this.#number, parts))
  }

  /** Devices 1, 2, … of those names on profile 1. */
  addDevices(...names: string[]): Promise<number> {
    const newDevices = names.map((name, at) => this.device(at + 1, name))
    return this.commit({ profiles: this.profiles, newDevices })
  }

  device(id: number, deviceId: string, more: Partial<NewDevice> = {}): NewDevice {
    return {
      ...{ id, deviceId, appKey: this.keys.app, profile: 1, firstSeen: AT, lastSeen: AT },
      ...{ lastCheckIn: 0, lastChange: 0, keyed: false, episode: 0, offeredAt: 0, evidence: 0 },
      ...more,
    }
  }
}

function profile(
  id: number,
  channelKey: number,
  version: string,
  platform = 'linux',
  arch = 'x86_64',
) {
  return { id, channelKey, version, platform, arch }
}

export function rows(...of: readonly (readonly number[])[]): Float64Array {
  return Float64Array.from(of.flat())
}

/** Device rows without an episode. */
export function states(...of: readonly (readonly number[])[]): Float64Array {
  return rows(...of.map((row) => [...row.slice(0, -1), 0, 0, 0, ...row.slice(-1)]))
}

export function batch(number: number, parts: Partial<TelemetryBatch>): TelemetryBatch {
  const none = new Float64Array()
  return {
    ...{ number, profiles: [], newDevices: [], erased: [], labels: [], rowsThrough: 0, lost: 0 },
    ...{ checkIns: none, changes: none, deviceRows: none, gone: none },
    ...{ profileRows: none, retired: none },
    ...{ adoption: none, hourly: none, presence: none, traffic: none },
    ...{ releases: [], health: none, details: [] },
    ...parts,
  }
}

/** What a start imports. */
export async function loaded(store: TelemetryDatabase & FleetReads) {
  const profiles: StoredProfile[] = []
  const [devices, replayed, changes]: [unknown[][], number[][], number[][]] = [[], [], []]
  const freed: number[][] = []
  const presence: number[][] = []
  const [releases, health]: [unknown[][], number[][]] = [[], []]
  const table = new DeviceTable()
  table.reserve((await store.state()).lastDevice)
  await store.load({
    chunks: table.share(),
    profile: (profile) => profiles.push({ ...profile }),
    device: (id, app, deviceId, labels) => devices.push([id, app, deviceId, labels ?? '{}']),
    freed: (...row) => freed.push(row),
    replay: (device, profile, at, checkIn) => replayed.push([device, profile, at, checkIn]),
    change: (...row) => changes.push(row),
    presence: (...row) => presence.push(row),
    release: ({ number, id }) => releases.push([number, id]),
    health: (...row) => health.push(row),
  })
  const known = devices.map(([id, app, deviceId, labels]) => {
    const device = Number(id)
    const seen = [table.profile(device), table.lastSeen(device), JSON.parse(String(labels))]
    return [id, app, deviceId, ...seen, table.lastCheckIn(device), table.lastChange(device)]
  })
  return { profiles, devices: known, freed, replayed, changes, presence, releases, health }
}

/** All that a store answers, but for the check-ins that are replayed. */
export async function everything({ store, keys: { app } }: FleetSubject) {
  return {
    state: await store.state(),
    loaded: { ...(await loaded(store)), replayed: [], changes: [] },
    labels: await store.labels([1, 2, 3]),
    versions: await store.presence(app, 20_526),
    adoption: await store.adoption(app, 0, 99_999),
    traffic: await store.traffic(app, 100),
    one: await store.device(app, 'one'),
  }
}
