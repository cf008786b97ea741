import { type CheckIn, isOffer, type OutcomeReport } from '../../../../fleet/check-in.ts'
import { eachCell } from '../../../../fleet/health/cells.ts'
import { WAITING } from '../../../../fleet/health/episode.ts'
import { intervalOf, progressOf, releaseOf } from '../../../../fleet/health/packed-episode.ts'
import { composeDeltas, type LabelDelta } from '../../../../fleet/labels.ts'
import { ProfileClaim } from '../../../../fleet/profile-claim.ts'
import { dayOf } from '../../../../fleet/time.ts'
import type { NewDevice, OutcomeDetail, TelemetryBatch } from '../../../shared/batch.ts'
import { kindOf, withStage } from '../../../shared/ingest/check-in-kind.ts'
import { Counters } from '../../../shared/ingest/counters.ts'
import { DeviceMoves } from '../../../shared/ingest/device-moves.ts'
import { Episodes, type IsRolledBack } from '../../../shared/ingest/episodes.ts'
import type { OfferedReleases } from '../../../shared/memory/offered-releases.ts'
import type { KnownProfile } from '../../../shared/memory/profile-tree.ts'
import type { BatchDevices } from './batch-devices.ts'
import type { Fact } from './fact.ts'
import type { IdBlocks } from './id-blocks.ts'
import type { KnownProfiles } from './known-profiles.ts'
import type { HourMove, PlainCheckIn, Wait } from './plain-check-ins.ts'

const HOUR = 3_600_000

export interface WorkParts {
  readonly devices: BatchDevices
  readonly profiles: KnownProfiles
  readonly releases: OfferedReleases
  readonly ids: IdBlocks
  readonly isRolledBack: IsRolledBack
}

/** A check-in as it is appended to the log. */
export interface LogEntry {
  readonly id: number
  /** The number of the device in the batch; 0 for an anonymous check. */
  readonly device: number
  readonly at: number
  readonly profile: number
  readonly kind: number
  readonly previous: number
}

interface Change {
  readonly id: number
  readonly device: number
  readonly at: number
  readonly profile: number
}

/** What one attempt makes of the facts of a slice. Applied in their order; devices are named by their number in the batch. */
export class SliceWork {
  readonly added = new Map<number, NewDevice>()
  /** Devices whose row changes. */
  readonly moved = new Set<number>()
  readonly log: LogEntry[] = []
  readonly changes: Change[] = []
  readonly details: OutcomeDetail[] = []
  readonly labels = new Map<number, LabelDelta>()
  /** Check-ins that count, for those who listen. */
  readonly events: CheckIn[] = []
  readonly #counters = new Counters()
  readonly #parts: WorkParts
  readonly #moves: DeviceMoves

  constructor(parts: WorkParts) {
    this.#parts = parts
    const { devices, profiles, releases, isRolledBack } = parts
    const episodes = new Episodes(
      { table: devices.table, releases, profiles },
      this.#counters.health,
      isRolledBack,
    )
    const memory = {
      table: devices.table,
      profiles,
      add: (...args: Parameters<BatchDevices['add']>) => devices.add(...args),
      find: (...args: Parameters<BatchDevices['find']>) => devices.find(...args),
      remove: () => devices.remove(),
    }
    const pending = {
      counters: this.#counters,
      changes: {
        push: (id: number, device: number, at: number, profile: number) => {
          this.changes.push({ id, device, at, profile })
          return true
        },
      },
      checkIns: { nextId: 0 },
      addDevice: (device: NewDevice) => {
        this.added.set(device.id, device)
      },
      deleteDevice: () => devices.remove(),
    }
    this.#moves = new DeviceMoves(memory, pending, episodes)
  }

  /** Counts a check-in that is stored already. */
  plain({ checkIn, running }: PlainCheckIn): void {
    const { at, reason, profile } = checkIn
    this.#parts.profiles.touch(running, dayOf(at))
    this.#counters.checkedIn(profile.channelKey, at, false, isOffer(reason))
    this.events.push(checkIn)
  }

  /** Counts the devices of such check-ins. */
  hourMove({ profile, before, hour, devices }: HourMove): void {
    this.#counters.deviceMoved(profile, before * HOUR, profile, hour * HOUR, devices)
  }

  /** Counts a device that was offered its release again by the hour from which it is silent. */
  waited({ before, episode, lastSeen, at, evidence }: Wait): void {
    this.#countWaiting(before, lastSeen, evidence, -1)
    this.#countWaiting(episode, at, evidence, 1)
  }

  #countWaiting(episode: number, lastSeen: number, evidence: number, change: 1 | -1): void {
    const [release, interval] = [releaseOf(episode), intervalOf(progressOf(episode))]
    const count = (cell: number) => this.#counters.health.add(release, cell, change)
    eachCell(WAITING, interval, lastSeen, evidence, count)
  }

  /** `mayAdd`: whether the device may be added if it is not known. */
  checkIn(sent: CheckIn, running: KnownProfile, mayAdd: () => boolean): void {
    const { devices, profiles, ids } = this.#parts
    const { appKey, at, source, reason, outcome, profile } = sent
    let { deviceId } = sent
    let device = deviceId === null ? 0 : devices.find(appKey, deviceId)
    if (device === 0 && deviceId !== null && !mayAdd()) deviceId = null
    const id = ids.checkIn(at)
    if (device !== 0) this.#moves.seen(device, running, sent, id)
    else if (deviceId !== null) device = this.#moves.came(sent, deviceId, running, id)
    profiles.touch(running, dayOf(at))
    this.#counters.checkedIn(profile.channelKey, at, deviceId === null, isOffer(reason))
    const previous = device === 0 ? 0 : this.#moves.link(device, id)
    const stage = device === 0 ? 0 : devices.table.stage(device)
    const kind = withStage(kindOf(source, reason, outcome), stage)
    this.log.push({ id, device, at, profile: running.profile.id, kind, previous })
    if (device !== 0) this.moved.add(device)
    this.events.push(deviceId === sent.deviceId ? sent : { ...sent, deviceId })
  }

  /** Ignores a device that is unknown or was last offered another release. */
  outcome(report: OutcomeReport): void {
    const { devices, profiles, releases } = this.#parts
    const { appKey, deviceId, channelKey, releaseId, at, outcome, detail, caller } = report
    const device = devices.find(appKey, deviceId)
    const release = device === 0 ? 0 : devices.table.release(device)
    const running = profiles.known(devices.table.profile(device))
    if (release === 0 || release !== releases.find(releaseId) || running === undefined) return
    const { version, platform, arch } = running.profile
    const profile = new ProfileClaim(channelKey, version, platform, arch)
    const sent = { appKey, deviceId, profile, at, source: 'outcome', reason: null } as const
    this.checkIn({ ...sent, outcome, caller }, running, () => false)
    if (detail === '') return
    const checkIn = devices.table.lastCheckIn(device)
    this.details.push({ checkIn, release, device, at, detail })
  }

  /** Changes labels of a device that is known or was added. */
  changeLabels(appKey: number, deviceId: string, delta: LabelDelta): void {
    const device = this.#parts.devices.find(appKey, deviceId)
    if (device === 0) return
    const before = this.labels.get(device)
    this.labels.set(device, before === undefined ? delta : composeDeltas(before, delta))
  }

  /** The changes of the counters, packed as in a `TelemetryBatch`. */
  counted(): Pick<TelemetryBatch, 'adoption' | 'hourly' | 'presence' | 'traffic' | 'health'> {
    return this.#counters.take()
  }

  /** Applies what is no check-in by itself. */
  rest(facts: readonly Fact[]): void {
    for (const fact of facts) {
      if (fact.kind === 'outcome') this.outcome(fact.report)
      else if (fact.kind === 'labels') {
        this.changeLabels(fact.delta.appKey, fact.delta.deviceId, fact.delta)
      } else if (fact.kind === 'check_in' && fact.labels !== undefined) {
        const { appKey, deviceId } = fact.checkIn
        if (deviceId !== null) this.changeLabels(appKey, deviceId, fact.labels)
      }
    }
  }
}
