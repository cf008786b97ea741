import {
  type CheckIn,
  type FleetFacts,
  isOffer,
  type OutcomeReport,
} from '../../../fleet/check-in.ts'
import type { Admission } from '../../../fleet/ingest/admission.ts'
import type { Budgets } from '../../../fleet/ingest/budgets.ts'
import { NotStored } from '../../../fleet/ingest/not-stored.ts'
import type { LabelDelta } from '../../../fleet/labels.ts'
import { ProfileClaim } from '../../../fleet/profile-claim.ts'
import { dayOf } from '../../../fleet/time.ts'
import type { DeviceLabels } from '../memory/device-labels.ts'
import type { FleetMemory } from '../memory/fleet-memory.ts'
import type { KnownProfile } from '../memory/profile-tree.ts'
import { isItself } from '../memory/profiles.ts'
import { kindOf, withStage } from './check-in-kind.ts'
import { MAX_QUEUED } from './check-in-queue.ts'
import type { ClosedChannels } from './closed-channels.ts'
import { completed } from './completed-report.ts'
import type { DeviceMoves } from './device-moves.ts'
import type { PendingBatch } from './pending-batch.ts'
import type { TelemetryWriter } from './writer.ts'

interface RecorderParts {
  readonly memory: FleetMemory
  readonly pending: PendingBatch
  readonly moves: DeviceMoves
  readonly labels: DeviceLabels
  readonly channels: ClosedChannels
  readonly budgets: Budgets
  readonly admission: Admission
  readonly writer: TelemetryWriter
}

/** Records check-ins in memory and queues them for the store, within the budgets. */
export class Recorder {
  readonly #memory: FleetMemory
  readonly #pending: PendingBatch
  readonly #moves: DeviceMoves
  readonly #labels: DeviceLabels
  readonly #channels: ClosedChannels
  readonly #budgets: Budgets
  readonly #admission: Admission
  readonly #writer: TelemetryWriter

  constructor(parts: RecorderParts) {
    this.#memory = parts.memory
    this.#pending = parts.pending
    this.#moves = parts.moves
    this.#labels = parts.labels
    this.#channels = parts.channels
    this.#budgets = parts.budgets
    this.#admission = parts.admission
    this.#writer = parts.writer
  }

  /** Implements `FleetRecorder.record`. */
  record(checkIn: CheckIn, labels?: LabelDelta): void {
    const { appKey, deviceId, profile, caller } = checkIn
    if (this.#channels.refuses(profile.channelKey, appKey, deviceId)) return
    if (!this.#admission.addsRows && caller !== undefined) {
      this.#recordWithoutRows(checkIn)
      return
    }
    const { profiles } = this.#memory
    let running = profiles.claimed(profile)
    if (running === undefined) {
      running = this.#running(checkIn)
      profiles.remember(profile, running)
    }
    const device = this.#record(checkIn, running)
    if (device === undefined) this.#pending.checkIns.lose()
    else if (device !== 0 && labels !== undefined) {
      this.#changeLabels(device, labels, caller === undefined)
    }
  }

  /**
   * Records what an app reports of an update, as a check-in of a device whose version is unchanged. Ignores a device that
   * is unknown or was last offered another release, and callers without a key while the disk is nearly full.
   */
  recordOutcome(report: OutcomeReport): void {
    const { appKey, deviceId, channelKey, releaseId, at, outcome, detail, caller } = report
    if (this.#channels.refuses(channelKey, appKey, deviceId)) return
    if (!this.#admission.addsRows && caller !== undefined) {
      this.#budgets.usedUp('disk_space')
      return
    }
    const { table, profiles, releases } = this.#memory
    const device = this.#memory.find(appKey, deviceId)
    const release = device === 0 ? 0 : table.release(device)
    const running = profiles.known(table.profile(device))
    if (release === 0 || release !== releases.find(releaseId) || running === undefined) return
    const { version, platform, arch } = running.profile
    const profile = new ProfileClaim(channelKey, version, platform, arch)
    const checkIn = { appKey, deviceId, profile, at, source: 'outcome', reason: null } as const
    this.#record({ ...checkIn, outcome, caller }, running)
    if (detail === '') return
    this.#pending.addDetail({ checkIn: table.lastCheckIn(device), release, device, at, detail })
  }

  /** Records all of a call with a key, or throws `NotStored` if there is not enough room. */
  recordAll({ checkIns, reports, outcomes = [], labelDeltas }: FleetFacts): void {
    const count = checkIns.length + reports.length + outcomes.length
    if (this.#pending.waiting + count > MAX_QUEUED) throw new NotStored('behind')
    const fits = this.#memory.profiles.hasRoomFor(count) && this.#pending.hasRoomFor(count)
    // Looking up every device twice would take a third of the call.
    if (!fits || this.#channels.mayRefuse) {
      this.#requireRoom([...checkIns, ...reports.map((report) => completed(report, this.#memory))])
    }
    for (const checkIn of checkIns) this.#record(checkIn, this.#running(checkIn))
    for (const report of reports) {
      const checkIn = completed(report, this.#memory)
      this.#record(checkIn, this.#running(checkIn))
    }
    for (const outcome of outcomes) this.recordOutcome(outcome)
    for (const delta of labelDeltas) {
      const device = this.#memory.find(delta.appKey, delta.deviceId)
      if (device !== 0) this.#changeLabels(device, delta, true)
    }
  }

  #requireRoom(checkIns: readonly CheckIn[]): void {
    const { profiles } = this.#memory
    let [newProfiles, newDevices] = [0, 0]
    for (const { appKey, deviceId, profile } of checkIns) {
      if (this.#channels.refuses(profile.channelKey, appKey, deviceId)) {
        throw new NotStored('channel_removed')
      }
      if (profiles.find(profile) === undefined) newProfiles++
      if (deviceId !== null && this.#memory.find(appKey, deviceId) === 0) newDevices++
    }
    if (!profiles.hasRoomFor(newProfiles)) throw new NotStored('too_many_profiles')
    if (!this.#pending.hasRoomFor(newDevices)) throw new NotStored('behind')
  }

  /**
   * Returns the device's number, 0 for an anonymous check-in, or undefined if there is no room for a new
   * device.
   */
  #record(checkIn: CheckIn, running: KnownProfile): number | undefined {
    const { appKey, deviceId, profile, at, source, reason, caller, outcome } = checkIn
    const known = deviceId === null ? 0 : this.#memory.find(appKey, deviceId)
    if (deviceId !== null && known === 0) {
      if (!this.#admits(caller)) return this.#record({ ...checkIn, deviceId: null }, running)
      if (!this.#pending.hasRoomFor(1)) return undefined
    }
    const id = this.#pending.checkIns.assignId()
    let device = known
    if (known !== 0) this.#moves.seen(known, running, checkIn, id)
    else if (deviceId !== null) device = this.#moves.came(checkIn, deviceId, running, id)
    this.#memory.profiles.touch(running, dayOf(at))
    this.#pending.counters.checkedIn(profile.channelKey, at, deviceId === null, isOffer(reason))
    const previous = device === 0 ? 0 : this.#moves.link(device, id)
    const stage = device === 0 ? 0 : this.#memory.table.stage(device)
    const kind = withStage(kindOf(source, reason, outcome), stage)
    this.#pending.checkIns.push(id, device, at, running.profile.id, kind, previous)
    this.#pending.announce(checkIn)
    this.#writer.notify()
    return device
  }

  /** Returns whether a caller may add a device. One without a key has a budget. */
  #admits(caller: string | undefined): boolean {
    return caller === undefined || this.#admission.admits(caller, this.#memory.numbersInUse)
  }

  #changeLabels(device: number, delta: LabelDelta, isKeyed: boolean): void {
    if (!this.#labels.change(device, delta, isKeyed)) this.#budgets.usedUp('labels')
  }

  /** Counts a check-in while the disk is nearly full, in existing rows only. */
  #recordWithoutRows(checkIn: CheckIn): void {
    const { appKey, deviceId, profile, at, reason } = checkIn
    this.#budgets.usedUp('disk_space')
    const device = deviceId === null ? 0 : this.#memory.find(appKey, deviceId)
    if (device !== 0) this.#moves.seenUnlogged(device, this.#memory.profiles.find(profile), at)
    this.#pending.counters.checkedIn(profile.channelKey, at, device === 0, isOffer(reason))
    this.#pending.announce(checkIn)
    this.#writer.notify()
  }

  /** Checks without a device id create no profile, nor do checks beyond the budget. */
  #running({ appKey, deviceId, profile }: CheckIn): KnownProfile {
    const { profiles } = this.#memory
    const creates = deviceId !== null || profiles.find(profile) !== undefined
    const running = creates
      ? profiles.admit(appKey, profile)
      : profiles.other(appKey, profile.channelKey)
    if (!isItself(profile, running) && deviceId !== null) this.#budgets.usedUp('combinations')
    return running
  }
}
