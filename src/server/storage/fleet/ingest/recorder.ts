import { type Heartbeat, isOffer } from '../../../fleet/heartbeat.ts'
import type { Admission } from '../../../fleet/ingest/admission.ts'
import type { Budgets } from '../../../fleet/ingest/budgets.ts'
import type { LiveFeed } from '../../../fleet/ingest/live-feed.ts'
import { NotStored } from '../../../fleet/ingest/not-stored.ts'
import { dayOf } from '../../../fleet/time.ts'
import type { DeviceLabels } from '../memory/device-labels.ts'
import type { FleetMemory } from '../memory/fleet-memory.ts'
import type { KnownProfile } from '../memory/profile-tree.ts'
import type { ClosedChannels } from '../removal/closed-channels.ts'
import { kindOf } from './check-in.ts'
import { MAX_QUEUED } from './check-in-queue.ts'
import type { DeviceMoves } from './device-moves.ts'
import type { PendingBatch } from './pending-batch.ts'

interface RecorderParts {
  readonly memory: FleetMemory
  readonly pending: PendingBatch
  readonly moves: DeviceMoves
  readonly labels: DeviceLabels
  readonly channels: ClosedChannels
  readonly budgets: Budgets
  readonly admission: Admission
  readonly feed: LiveFeed
  /** Unix time in milliseconds. */
  readonly clock: () => number
  /** Something is waiting to be written. */
  readonly notify: () => void
}

/** Records heartbeats in memory and queues them for the store, within the budgets. */
export class Recorder {
  readonly #memory: FleetMemory
  readonly #pending: PendingBatch
  readonly #moves: DeviceMoves
  readonly #labels: DeviceLabels
  readonly #channels: ClosedChannels
  readonly #budgets: Budgets
  readonly #admission: Admission
  readonly #feed: LiveFeed
  readonly #clock: () => number
  readonly #notify: () => void

  constructor(parts: RecorderParts) {
    this.#memory = parts.memory
    this.#pending = parts.pending
    this.#moves = parts.moves
    this.#labels = parts.labels
    this.#channels = parts.channels
    this.#budgets = parts.budgets
    this.#admission = parts.admission
    this.#feed = parts.feed
    this.#clock = parts.clock
    this.#notify = parts.notify
  }

  /**
   * Counts a heartbeat. If there is no room, it is counted as lost; a combination beyond the budget is
   * counted as other.
   */
  record(heartbeat: Heartbeat): void {
    const { appKey, deviceId, profile } = heartbeat
    if (this.#channels.refuses(profile.channelKey, appKey, deviceId)) return
    if (!this.#admission.addsRows && heartbeat.caller !== undefined) {
      this.#recordWithoutRows(heartbeat)
      return
    }
    const { profiles } = this.#memory
    const running = profiles.known(profile.id) ?? this.#running(heartbeat)
    if (!this.#record(heartbeat, running)) this.#pending.checkIns.lose()
  }

  /**
   * Counts a heartbeat per item of one call with a key, all or none of them. `heartbeatOf` is called
   * when the items before it are counted, once or twice for each. Throws `NotStored` when there is
   * no room for all.
   */
  recordAll<Item>(
    items: readonly Item[],
    heartbeatOf: (item: Item, index: number) => Heartbeat,
  ): void {
    if (this.#pending.waiting + items.length > MAX_QUEUED) throw new NotStored('behind')
    const { profiles } = this.#memory
    const fits = profiles.hasRoomFor(items.length) && this.#pending.hasRoomFor(items.length)
    // To find every device twice would cost a third of the call.
    if (!fits || this.#channels.mayRefuse) this.#requireRoom(items.map(heartbeatOf))
    items.forEach((item, index) => {
      const heartbeat = heartbeatOf(item, index)
      this.#record(heartbeat, this.#running(heartbeat))
    })
  }

  #requireRoom(heartbeats: readonly Heartbeat[]): void {
    const { profiles } = this.#memory
    let [newProfiles, newDevices] = [0, 0]
    for (const { appKey, deviceId, profile } of heartbeats) {
      if (this.#channels.refuses(profile.channelKey, appKey, deviceId)) {
        throw new NotStored('channel_removed')
      }
      if (profiles.find(profile) === undefined) newProfiles++
      if (deviceId !== null && this.#memory.find(appKey, deviceId) === 0) newDevices++
    }
    if (!profiles.hasRoomFor(newProfiles)) throw new NotStored('too_many_profiles')
    if (!this.#pending.hasRoomFor(newDevices)) throw new NotStored('behind')
  }

  /** Returns false if there is no room for a new device. */
  #record(heartbeat: Heartbeat, running: KnownProfile): boolean {
    const { appKey, deviceId, profile, source, reason, labels, caller } = heartbeat
    const known = deviceId === null ? 0 : this.#memory.find(appKey, deviceId)
    if (deviceId !== null && known === 0) {
      if (!this.#admits(caller)) return this.#record({ ...heartbeat, deviceId: null }, running)
      if (!this.#pending.hasRoomFor(1)) return false
    }
    const at = this.#clock()
    const checkIn = this.#pending.checkIns.assignId()
    let device = known
    if (known !== 0) this.#moves.seen(known, running, at, checkIn)
    else if (deviceId !== null) {
      device = this.#moves.came(appKey, deviceId, running, at, checkIn, caller === undefined)
    }
    this.#memory.profiles.touch(running, dayOf(at))
    if (device !== 0 && labels !== undefined) {
      const isTaken = this.#labels.change(device, labels, caller === undefined)
      if (!isTaken) this.#budgets.usedUp('labels')
    }
    this.#pending.counters.checkedIn(profile.channelKey, at, deviceId === null, isOffer(reason))
    const previous = device === 0 ? 0 : this.#moves.link(device, checkIn)
    const kind = kindOf(source, reason)
    this.#pending.checkIns.push(checkIn, device, at, running.profile.id, kind, previous)
    this.#announce(heartbeat, at)
    return true
  }

  /** Returns whether a caller may add a device. One without a key has a budget. */
  #admits(caller: string | undefined): boolean {
    return caller === undefined || this.#admission.admits(caller, this.#memory.numbersInUse)
  }

  /** Counts a heartbeat while the disk is nearly full: only in existing rows. */
  #recordWithoutRows(heartbeat: Heartbeat): void {
    const { appKey, deviceId, profile, reason } = heartbeat
    this.#budgets.usedUp('disk_space')
    const at = this.#clock()
    const device = deviceId === null ? 0 : this.#memory.find(appKey, deviceId)
    if (device !== 0) this.#moves.seenUnlogged(device, this.#memory.profiles.find(profile), at)
    this.#pending.counters.checkedIn(profile.channelKey, at, device === 0, isOffer(reason))
    this.#announce(heartbeat, at)
  }

  #announce({ deviceId, profile, source, reason }: Heartbeat, at: number): void {
    const { channelKey, version, platform, arch } = profile
    this.#feed.announce(() => {
      return { at, channelKey, deviceId, version, platform, arch, source, reason }
    })
    this.#notify()
  }

  /** Checks without a device id create no profile, nor do checks beyond the budget. */
  #running({ appKey, deviceId, profile }: Heartbeat): KnownProfile {
    const { profiles } = this.#memory
    const creates = deviceId !== null || profiles.find(profile) !== undefined
    const running = creates
      ? profiles.admit(appKey, profile)
      : profiles.other(appKey, profile.channelKey)
    const isItself = running.profile.platform === profile.platform
    if (isItself) profile.id = running.profile.id
    else if (deviceId !== null) this.#budgets.usedUp('combinations')
    return running
  }
}
