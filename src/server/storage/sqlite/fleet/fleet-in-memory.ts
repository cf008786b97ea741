import { DEFAULTS, type FleetOptions } from '../../../fleet/fleet-options.ts'
import { Admission } from '../../../fleet/ingest/admission.ts'
import { Budgets } from '../../../fleet/ingest/budgets.ts'
import { LiveFeed } from '../../../fleet/ingest/live-feed.ts'
import type { TelemetryHealth } from '../../../fleet/store.ts'
import type { TelemetryDatabase, TelemetryState } from '../../shared/batch.ts'
import { ClosedChannels } from '../../shared/ingest/closed-channels.ts'
import { DeviceMoves } from '../../shared/ingest/device-moves.ts'
import { Episodes } from '../../shared/ingest/episodes.ts'
import { PendingBatch } from '../../shared/ingest/pending-batch.ts'
import { Recorder } from '../../shared/ingest/recorder.ts'
import { TelemetryWriter } from '../../shared/ingest/writer.ts'
import { DeviceLabels } from '../../shared/memory/device-labels.ts'
import { FleetMemory } from '../../shared/memory/fleet-memory.ts'
import { loadMemory } from '../../shared/memory/load-memory.ts'
import type { Profiles } from '../../shared/memory/profiles.ts'
import { ForgottenDevices } from './removal/forgotten-devices.ts'
import { Removals } from './removal/removals.ts'

/** Milliseconds that a graceful stop may take for writing. The rest is in the check-in log. */
const STOP_TIME = 15_000
/** Profiles retired at once: bounds the time of a batch. */
const RETIRED_AT_ONCE = 100

/** The fleet in memory, always up to date, with the store that follows a little later. */
export class FleetInMemory {
  readonly feed: LiveFeed
  readonly budgets: Budgets
  readonly admission: Admission
  /** Maximum bytes of labels per device. */
  readonly labelBytes: number
  readonly memory: FleetMemory
  readonly labels: DeviceLabels
  readonly recorder: Recorder
  readonly writer: TelemetryWriter
  readonly removals: Removals
  readonly forgotten: ForgottenDevices
  readonly #pending: PendingBatch
  readonly #unused: UnusedProfiles
  readonly #channels: ClosedChannels

  private constructor(
    store: TelemetryDatabase,
    memory: FleetMemory,
    state: TelemetryState,
    options: FleetOptions,
  ) {
    const all = { ...DEFAULTS, ...options }
    const { onFailure, onSetAside, onUsedUp, clock, newDevices, labelBytes, isRolledBack } = all
    const feed = new LiveFeed(onFailure)
    const budgets = new Budgets({ clock, onUsedUp })
    const admission = new Admission(newDevices, budgets, { sharers: options.sharers })
    const channels = new ClosedChannels(memory)
    const pending = new PendingBatch(memory, channels, feed, state)
    const writer = new TelemetryWriter(pending, store, state.batch, { onFailure, onSetAside })
    const episodes = new Episodes(memory, pending.counters.health, isRolledBack)
    const moves = new DeviceMoves(memory, pending, episodes)
    const labels = new DeviceLabels(memory, pending, store, labelBytes)
    const taken = { memory, pending, moves, labels, channels, budgets, admission, writer }
    this.feed = feed
    this.budgets = budgets
    this.admission = admission
    this.labelBytes = labelBytes
    this.memory = memory
    this.labels = labels
    this.recorder = new Recorder(taken)
    this.writer = writer
    this.removals = new Removals({ ...taken, episodes })
    this.forgotten = new ForgottenDevices(taken)
    this.#pending = pending
    this.#unused = new UnusedProfiles(memory.profiles)
    this.#channels = channels
  }

  /** Loads the stored fleet. */
  static async open(store: TelemetryDatabase, options: FleetOptions): Promise<FleetInMemory> {
    const state = await store.state()
    const memory = new FleetMemory(options.combinations ?? DEFAULTS.combinations)
    const { presence, health } = await loadMemory(memory, store, state)
    const fleet = new FleetInMemory(store, memory, state, options)
    const { counters } = fleet.#pending
    const repaired = [presence.repair(counters), health.repair(counters.health)].includes(true)
    if (repaired || fleet.#pending.dirty) fleet.writer.notify()
    return fleet
  }

  get health(): Omit<TelemetryHealth, 'failure'> & { readonly failure: Error | null } {
    const { length, lost } = this.#pending.checkIns
    const { failure } = this.writer
    return { queued: length, lost, failure, budgets: this.budgets.recent }
  }

  /** See `FleetUpkeep.retireProfiles`. */
  retireProfiles(before: number, after: number): number {
    const { rowsThrough } = this.#pending
    const rule = { before, after, rowsThrough, limit: RETIRED_AT_ONCE }
    const skips = (channelKey: number) => this.#channels.has(channelKey)
    const retired = this.#unused.retire(rule, skips)
    if (retired > 0) this.writer.notify()
    return retired
  }

  /** Writes all pending data. The store stays open. */
  async stop(): Promise<void> {
    this.#pending.hurry()
    await this.writer.drain(Date.now() + STOP_TIME)
  }
}

/** Profiles checked in one search. */
const LOOKED_AT = 2_000

/** When a profile counts as unused. */
interface UnusedRule {
  /** Its last UTC day is before this one, or after the other. */
  readonly before: number
  readonly after: number
  /** The device rows contain the check-ins up to this one. */
  readonly rowsThrough: number
  /** Maximum number. */
  readonly limit: number
}

/** Retires unverified profiles that nothing uses. */
export class UnusedProfiles {
  readonly #profiles: Profiles
  #cursor = 0

  constructor(profiles: Profiles) {
    this.#profiles = profiles
  }

  /**
   * Checks a part of all profiles; the next call continues with the next part. `skips`: channels that are
   * being removed. Returns how many were retired.
   */
  retire(
    { before, after, rowsThrough, limit }: UnusedRule,
    skips: (channelKey: number) => boolean,
  ): number {
    const profiles = this.#profiles
    const { highest } = profiles
    const end = Math.min(highest, this.#cursor + LOOKED_AT)
    let retired = 0
    while (this.#cursor < end && retired < limit) {
      const known = profiles.known(++this.#cursor)
      if (known === undefined || known.namedBy !== 0 || known.devices > 0) continue
      if (known.lastDay >= before && known.lastDay <= after) continue
      if (known.leftAt > rowsThrough || profiles.isFresh(known)) continue
      if (skips(known.profile.channelKey)) continue
      profiles.retire(known)
      retired++
    }
    if (this.#cursor >= highest) this.#cursor = 0
    return retired
  }
}
