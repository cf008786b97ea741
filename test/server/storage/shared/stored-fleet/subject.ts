import type { AuditEntry } from '../../../../../src/server/catalog/audit-log.ts'
import type { CheckIn } from '../../../../../src/server/fleet/check-in.ts'
import type { DeviceQuery } from '../../../../../src/server/fleet/device-query.ts'
import type { DeviceName } from '../../../../../src/server/fleet/facts.ts'
import type { LabelDelta } from '../../../../../src/server/fleet/labels.ts'
import { ProfileClaim } from '../../../../../src/server/fleet/profile-claim.ts'
import type { StoredFleet } from '../../../../../src/server/storage/interface/storage.ts'

/** An empty fleet beside the apps `editor` and `player`, and the keys of these. */
export interface FleetUnderTest {
  readonly fleet: StoredFleet
  /** Unix time in milliseconds, as the fleet sees it. */
  readonly clock: { now: number }
  /** Stops the fleet and opens what it stored again. */
  readonly restart: () => Promise<StoredFleet>
  /** Adds an entry to the audit log beside the fleet. */
  readonly audit: (entry: AuditEntry) => Promise<void>
  readonly app: number
  readonly otherApp: number
  /** Channels of `app`. */
  readonly stable: number
  readonly beta: number
  readonly otherStable: number
}

export const AT = Date.UTC(2026, 2, 14, 9)

/** What the contract asks: a fleet of its own for every test. */
export class FleetSubject {
  #test: FleetUnderTest | undefined
  #restarted: StoredFleet | undefined

  begin(test: FleetUnderTest): void {
    this.#test = test
    this.#restarted = undefined
  }

  get keys(): FleetUnderTest {
    if (this.#test === undefined) throw new Error('no test has begun')
    return this.#test
  }

  get fleet(): StoredFleet {
    return this.#restarted ?? this.keys.fleet
  }

  async restart(): Promise<void> {
    this.#restarted = await this.keys.restart()
  }

  name(deviceId: string): DeviceName {
    return { appKey: this.keys.app, deviceId }
  }

  /** Records a check, that many milliseconds after the one before. */
  check(deviceId: string | null, version: string, more: CheckParts = {}): void {
    const { later = 0, channel = this.keys.stable, platform = 'linux', labels, ...rest } = more
    this.keys.clock.now += later
    this.fleet.record({ ...this.saying(deviceId, version, channel, platform), ...rest }, labels)
  }

  /** A check-in as of now. */
  saying(
    deviceId: string | null,
    version: string,
    channel = this.keys.stable,
    platform = 'linux',
  ): CheckIn {
    const profile = new ProfileClaim(channel, version, platform, 'x86_64')
    const said = { at: this.keys.clock.now, source: 'check', reason: 'up_to_date' } as const
    return { appKey: this.keys.app, deviceId, profile, ...said }
  }

  /** A page of all devices of the app, sorted by id. */
  query(more: Partial<DeviceQuery> = {}): DeviceQuery {
    const { app: appKey, stable, beta } = this.keys
    return {
      ...{ appKey, appChannels: [stable, beta], channels: [stable, beta], seenSince: 0 },
      ...{ version: undefined, platform: undefined, arch: undefined, search: undefined },
      ...{ sort: 'deviceId', descending: false, cursor: undefined, backward: false, limit: 50 },
      ...more,
    }
  }
}

interface CheckParts extends Partial<CheckIn> {
  readonly labels?: LabelDelta
  readonly later?: number
  readonly channel?: number
  readonly platform?: string
}
