import { DEFAULTS, type FleetOptions } from '../../../fleet/fleet.ts'
import { Admission } from '../../../fleet/ingest/admission.ts'
import { Budgets } from '../../../fleet/ingest/budgets.ts'
import { LiveFeed } from '../../../fleet/ingest/live-feed.ts'
import type { TelemetryDatabase } from '../../shared/batch.ts'
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

/** Loads the stored fleet into memory, where it is always up to date; the store follows a little later. */
export async function openFleetInMemory(store: TelemetryDatabase, options: FleetOptions) {
  const all = { ...DEFAULTS, ...options }
  const { onFailure, onSetAside, onUsedUp, clock, newDevices, labelBytes, isRolledBack } = all
  const state = await store.state()
  const memory = new FleetMemory(all.combinations)
  const stored = await loadMemory(memory, store, state)
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
  const unused = new UnusedProfiles(memory.profiles)
  const { presence, health } = stored
  const { counters } = pending
  const repaired = [presence.repair(counters), health.repair(counters.health)].includes(true)
  if (repaired || pending.dirty) writer.notify()
  return {
    ...{ feed, budgets, admission, memory, labels, writer },
    /** Maximum bytes of labels per device. */
    labelBytes,
    recorder: new Recorder(taken),
    removals: new Removals({ ...taken, episodes }),
    forgotten: new ForgottenDevices(taken),
    get health() {
      const { length, lost } = pending.checkIns
      return { queued: length, lost, failure: writer.failure, budgets: budgets.recent }
    },
    /** See `FleetUpkeep.retireProfiles`. */
    retireProfiles(before: number, after: number): number {
      const { rowsThrough } = pending
      const rule = { before, after, rowsThrough, limit: RETIRED_AT_ONCE }
      const retired = unused.retire(rule, (channelKey) => channels.has(channelKey))
      if (retired > 0) writer.notify()
      return retired
    },
    /** Writes all pending data. The store stays open. */
    async stop(): Promise<void> {
      pending.hurry()
      await writer.drain(Date.now() + STOP_TIME)
    },
  }
}

export type FleetInMemory = Awaited<ReturnType<typeof openFleetInMemory>>

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
