import type { LabelMap } from '../../../shared/names.ts'
import type { DeviceName } from '../../fleet/facts.ts'
import { DEFAULTS, type FleetOptions } from '../../fleet/fleet-options.ts'
import type { Heartbeat } from '../../fleet/heartbeat.ts'
import { Admission } from '../../fleet/ingest/admission.ts'
import { Budgets } from '../../fleet/ingest/budgets.ts'
import { LiveFeed } from '../../fleet/ingest/live-feed.ts'
import type { TelemetryHealth } from '../../fleet/store.ts'
import type { NumberedProfile, TelemetryDatabase, TelemetryState } from './batch.ts'
import { DeviceMoves } from './ingest/device-moves.ts'
import { PendingBatch } from './ingest/pending-batch.ts'
import { Recorder } from './ingest/recorder.ts'
import { TelemetryWriter } from './ingest/writer.ts'
import { DeviceLabels } from './memory/device-labels.ts'
import { FleetMemory, type KnownDevice } from './memory/fleet-memory.ts'
import { loadMemory } from './memory/load-memory.ts'
import { ClosedChannels } from './removal/closed-channels.ts'
import { ForgottenDevices, type StaleDevice } from './removal/forgotten-devices.ts'
import { type RemovalSteps, Removals } from './removal/removals.ts'

/** Milliseconds that a graceful stop may take for writing; the check-in log holds the rest. */
const STOP_TIME = 15_000
/** Profiles retired at once: bounds the time of a batch. */
const RETIRED_AT_ONCE = 100

/**
 * The fleet in memory, always up to date, and its way to the store, a little behind.
 * `record` never waits and never fails; what it takes in is visible at once.
 */
export class FleetInMemory {
  readonly feed: LiveFeed
  readonly budgets: Budgets
  readonly admission: Admission
  /** Maximum bytes of labels per device. */
  readonly labelBytes: number
  readonly #memory: FleetMemory
  readonly #pending: PendingBatch
  readonly #channels: ClosedChannels
  readonly #labels: DeviceLabels
  readonly #recorder: Recorder
  readonly #writer: TelemetryWriter
  readonly #removals: Removals
  readonly #forgotten: ForgottenDevices

  private constructor(
    store: TelemetryDatabase,
    memory: FleetMemory,
    state: TelemetryState,
    options: FleetOptions,
  ) {
    const { onFailure, onSetAside, onUsedUp, clock, newDevices, labelBytes } = {
      ...DEFAULTS,
      ...options,
    }
    this.feed = new LiveFeed(onFailure)
    this.budgets = new Budgets({ clock, onUsedUp })
    this.admission = new Admission(newDevices, this.budgets)
    this.labelBytes = labelBytes
    const channels = new ClosedChannels(memory)
    const pending = new PendingBatch(memory, channels, state)
    const writer = new TelemetryWriter(pending, store, state.batch, { onFailure, onSetAside })
    const moves = new DeviceMoves(memory, pending)
    const labels = new DeviceLabels(memory, pending, store, labelBytes)
    this.#recorder = new Recorder({
      ...{ memory, pending, moves, labels, channels, clock },
      ...{ budgets: this.budgets, admission: this.admission, feed: this.feed },
      notify: () => writer.notify(),
    })
    this.#memory = memory
    this.#pending = pending
    this.#channels = channels
    this.#labels = labels
    this.#writer = writer
    this.#removals = new Removals(memory, pending, writer, channels)
    this.#forgotten = new ForgottenDevices(memory, pending, moves, channels)
  }

  /** Loads what is stored. */
  static async open(store: TelemetryDatabase, options: FleetOptions): Promise<FleetInMemory> {
    const state = await store.state()
    const memory = new FleetMemory(options.combinations ?? DEFAULTS.combinations)
    const presence = await loadMemory(memory, store, state)
    const fleet = new FleetInMemory(store, memory, state, options)
    const repaired = presence.repair(fleet.#pending.counters)
    if (repaired || fleet.#pending.dirty) fleet.#writer.notify()
    return fleet
  }

  get health(): Omit<TelemetryHealth, 'failure'> & { readonly failure: Error | null } {
    const { length, lost } = this.#pending.checkIns
    const { failure } = this.#writer
    return { queued: length, lost, failure, budgets: this.budgets.recent }
  }

  /** What a known device runs, as of its last heartbeat. */
  profileOf(appKey: number, deviceId: string): NumberedProfile | undefined {
    return this.#memory.profiles.get(
      this.#memory.table.profile(this.#memory.find(appKey, deviceId)),
    )
  }

  /** A device's labels, none where it is not known; undefined where only the store has them. */
  labelsInMemory(appKey: number, deviceId: string): LabelMap | undefined {
    return this.#labels.inMemory(this.#memory.find(appKey, deviceId))
  }

  /** The labels of each device, in the order given; none where the device is not known. */
  labelsOf(appKey: number, deviceIds: readonly string[]): Promise<LabelMap[]> {
    return this.#labels.of(deviceIds.map((deviceId) => this.#memory.find(appKey, deviceId)))
  }

  /** See `Recorder.record`. */
  record(heartbeat: Heartbeat): void {
    this.#recorder.record(heartbeat)
  }

  /** See `Recorder.recordAll`. */
  recordAll<Item>(
    items: readonly Item[],
    heartbeatOf: (item: Item, index: number) => Heartbeat,
  ): void {
    this.#recorder.recordAll(items, heartbeatOf)
  }

  /**
   * Retires profiles that nobody vouches for, that no device has, and that were last used before the UTC
   * day `before` or, because of a wrong clock, after the day `after`; they are then counted as other.
   * Checks only some of them; the next call continues. Returns how many were retired.
   */
  retireProfiles(before: number, after: number): number {
    const { rowsThrough } = this.#pending
    const rule = { before, after, rowsThrough, limit: RETIRED_AT_ONCE }
    const retired = this.#memory.profiles.retire(rule, (channelKey) =>
      this.#channels.has(channelKey),
    )
    if (retired > 0) this.#writer.notify()
    return retired
  }

  /** The memory of every device, for a `SharedDevices` on a thread that reads while checks go on. */
  shareDevices(): readonly SharedArrayBuffer[] {
    return this.#memory.table.share()
  }

  /** See `FleetMemory.known`. */
  known(appKey: number, deviceId: string): KnownDevice | undefined {
    return this.#memory.known(appKey, deviceId)
  }

  /** Unix time in milliseconds of the newest check-in that was stored at the start; 0 for none. */
  get newestSeenAtStart(): number {
    return this.#memory.newestSeenAtStart
  }

  /** The highest number of a profile. */
  get highestProfile(): number {
    return this.#memory.profiles.highest
  }

  /** A profile by its number, undefined if it is gone. */
  profile(id: number): NumberedProfile | undefined {
    return this.#memory.profiles.get(id)
  }

  /** See `LabelSets.having`. Labels that found no room in memory are in the store alone. */
  labelSetsWith(key: string, value: string | undefined): Uint8Array {
    return this.#memory.labelSets.having(key, value)
  }

  /** See `FleetMemory.profilesOn`. */
  profilesOn(channelKey: number) {
    return this.#memory.profilesOn(channelKey)
  }

  /**
   * Forgets the devices of channels that are removed for good, and takes in nothing for them from
   * now on. See `Removals.run`.
   */
  forget(channelKeys: readonly number[], steps: RemovalSteps): Promise<boolean> {
    return this.#removals.run(channelKeys, steps)
  }

  /** See `ForgottenDevices.forgetStale`. */
  forgetStale(stale: readonly StaleDevice[]): number {
    const forgotten = this.#forgotten.forgetStale(stale)
    if (forgotten > 0) this.#writer.notify()
    return forgotten
  }

  /** Reuses numbers of forgotten devices. See `findFreed` for when this is safe. */
  reuseNumbers(numbers: Int32Array): void {
    this.#memory.reuse(numbers)
  }

  /** See `ForgottenDevices.erase`. */
  erase(name: DeviceName): boolean {
    const erased = this.#forgotten.erase(name)
    if (erased) this.#writer.notify()
    return erased
  }

  /** Resolves when everything recorded until now is committed; rejects where that fails. */
  settled(): Promise<void> {
    return this.#writer.settled()
  }

  /** Writes what is left. The store stays open. */
  async stop(): Promise<void> {
    this.#pending.hurry()
    await this.#writer.drain(Date.now() + STOP_TIME)
  }
}
