import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CheckIn } from '../../../../../src/server/fleet/check-in.ts'
import type { OfferedRelease } from '../../../../../src/server/fleet/facts.ts'
import { ProfileClaim } from '../../../../../src/server/fleet/profile-claim.ts'
import { type FleetFile, makeFleetFile } from '../../../../support/builders/fleet-file.ts'
import { HOUR } from '../../../../support/builders/time.ts'
import {
  recountedReleaseCells,
  storedReleaseCells,
} from '../../../../support/check-in-log/release-cells.ts'
import { episodesOf, type Visit } from '../../../../support/check-in-log/visits.ts'
import { connect } from '../../../../support/servers/database.ts'
import { Clock, openFile } from './open-fleet.ts'

const RELEASES = [2, 3, 4]
/** Releases of beta have numbers from 12. */
const BETA = 10

const step = fc.record({
  device: fc.constantFrom('one', 'two', 'three', 'four'),
  version: fc.integer({ min: 1, max: 3 }),
  stays: fc.boolean(),
  does: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom('check' as const, 'wave' as const) },
    { weight: 4, arbitrary: fc.constantFrom('no offer' as const, 'report' as const) },
    {
      weight: 2,
      arbitrary: fc.constantFrom('sent back' as const, 'ok' as const, 'failed' as const),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom('move' as const, 'forget' as const, 'roll back' as const),
    },
  ),
  wait: fc.oneof(fc.integer({ min: 1, max: HOUR }), fc.integer({ min: HOUR, max: 30 * HOUR })),
  after: fc.oneof(
    { weight: 12, arbitrary: fc.constant('go on' as const) },
    { weight: 1, arbitrary: fc.constantFrom('restart' as const, 'crash' as const) },
  ),
})
type Step = typeof step extends fc.Arbitrary<infer Drawn> ? Drawn : never

/** What one device did, as the fleet and as the recount see it. */
class Device {
  version = 1
  isOnBeta = false
  isGone = false
  channels: Visit[][] = [[]]

  get visits(): Visit[] {
    return this.channels.at(-1) ?? []
  }

  get release(): number {
    return episodesOf(this.visits).at(-1)?.release ?? 0
  }
}

class Fleet {
  readonly devices = new Map<string, Device>()
  readonly gone: Device[] = []
  readonly rolledBack = new Set<number>()
  /** Versions and releases that the fleet has given numbers to, in that order. */
  readonly numbers = new Map<number, number>()
  readonly #keys: FleetFile
  readonly #clock: Clock

  constructor(keys: FleetFile, clock: Clock) {
    this.#keys = keys
    this.#clock = clock
  }

  readonly isRolledBack = (channelKey: number, version: string) => {
    const release = Number(version.split('.')[0]) + (channelKey === this.#keys.beta ? BETA : 0)
    return this.rolledBack.has(release)
  }

  /** Returns what to record for a step, after adding it to the visits of its device. */
  take({ device: deviceId, version, stays, does }: Step) {
    const device = this.devices.get(deviceId) ?? new Device()
    this.devices.set(deviceId, device)
    if (does === 'move' && device.visits.length > 0) {
      device.isOnBeta = !device.isOnBeta
      device.channels.push([])
    }
    const outcome = does === 'ok' || does === 'failed' ? does : null
    if (outcome === null && !stays) device.version = version
    const base = device.isOnBeta ? BETA : 0
    const served = RELEASES.filter(
      (release) => release > device.version && !this.rolledBack.has(release + base),
    )
    const newest = served.at(-1)
    const offers = does === 'check' || does === 'wave'
    const offered = offers && newest !== undefined ? newest + base : 0
    if (does === 'roll back') this.rolledBack.add(version + 1 + base)
    const { release } = device
    if (outcome !== null && release === 0) return undefined
    device.visits.push({
      at: Math.floor(this.#clock.now / 1_000),
      version: device.version + base,
      ...{ offered, outcome, isSentBack: does === 'sent back' },
      isDecided: outcome === null && does !== 'report',
      rolledBack: new Set(this.rolledBack),
    })
    if (offered !== 0 && !this.numbers.has(offered)) {
      this.numbers.set(offered, this.numbers.size + 1)
    }
    return { deviceId, device, outcome, release, offered }
  }

  forget(deviceId: string): boolean {
    const device = this.devices.get(deviceId)
    if (device === undefined) return false
    this.devices.delete(deviceId)
    this.gone.push(Object.assign(device, { isGone: true }))
    return true
  }

  releaseOf(release: number): OfferedRelease {
    const [channelKey, version] =
      release > BETA ? [this.#keys.beta, release - BETA] : [this.#keys.stable, release]
    return { id: `release-${release}`, channelKey, version: `${version}.0.0` }
  }

  /** All counters, by the numbers that the fleet gave to releases. */
  get recounted() {
    const cells = recountedReleaseCells([...this.devices.values(), ...this.gone])
    return Object.fromEntries(
      Object.entries(cells).map(([name, devices]) => {
        const [release = '', ...rest] = name.split(' ')
        return [`${this.numbers.get(Number(release))} ${rest.join(' ')}`, devices]
      }),
    )
  }
}

const REASONS = {
  ...{ 'sent back': 'rollback', report: null, wave: 'up_to_date', check: 'up_to_date' },
  ...{ 'no offer': 'outside_cohort', move: 'up_to_date', 'roll back': 'no_release' },
} as const

describe('the counters of releases', () => {
  test('agree with a recount of all visits over restarts and crashes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 160 }), async (steps) => {
        const keys = await makeFleetFile()
        const clock = new Clock()
        const fleet = new Fleet(keys, clock)
        const { isRolledBack } = fleet
        let opened = await openFile(keys, clock, { isRolledBack })
        const appKey = keys.editor
        for (const drawn of steps) {
          // In whole seconds, as the visits have it.
          clock.now += Math.ceil(drawn.wait / 1_000) * 1_000
          const { recorder, forgotten, writer } = opened.fleet
          if (drawn.does === 'forget') {
            if (fleet.forget(drawn.device)) forgotten.erase({ appKey, deviceId: drawn.device })
          } else {
            const taken = fleet.take(drawn)
            if (taken === undefined) continue
            const { deviceId, device, outcome, release, offered } = taken
            const at = clock.now
            const channelKey = device.isOnBeta ? keys.beta : keys.stable
            if (outcome !== null) {
              const releaseId = `release-${release}`
              recorder.recordOutcome({
                appKey,
                deviceId,
                channelKey,
                releaseId,
                at,
                outcome,
                detail: '',
              })
            } else {
              const claim = new ProfileClaim(channelKey, `${device.version}.0.0`, 'linux', 'x86_64')
              const { does } = drawn
              const checkIn: CheckIn = {
                ...{ appKey, deviceId, profile: claim, at },
                source: does === 'report' ? 'report' : does === 'wave' ? 'decision' : 'check',
                reason: offered === 0 ? REASONS[does as 'report'] : 'update',
                offered: offered === 0 ? undefined : fleet.releaseOf(offered),
              }
              recorder.record(checkIn)
            }
          }
          if (drawn.after === 'go on') continue
          await writer.settled()
          const database = connect(keys.file)
          expect(storedReleaseCells(database)).toEqual(fleet.recounted)
          database.close()
          await (drawn.after === 'restart' ? opened.close() : opened.crash())
          opened = await openFile(keys, clock, { isRolledBack })
        }
        await opened.close()
        expect(storedReleaseCells(connect(keys.file))).toEqual(fleet.recounted)
      }),
      // Shrinking opens databases again and again, for longer than the test may take: the failure is shown as it is.
      { numRuns: 5, endOnFailure: true },
    )
  })
})
