import type { RemovalOutcome } from '../../../catalog/store.ts'
import type { FleetFacts } from '../../../fleet/check-in.ts'
import type { FleetOptions } from '../../../fleet/fleet.ts'
import type { CheckInRule, DeviceRule } from '../../../fleet/store.ts'
import { dayOf, hourOf } from '../../../fleet/time.ts'
import { storageProblem } from '../../data-folder/errors.ts'
import type { StoredFleet } from '../../interface/storage.ts'
import type { LogSweep, TelemetryDatabase } from '../../shared/batch.ts'
import type { FleetDatabase } from './database/fleet-database.ts'
import { type FleetInMemory, openFleetInMemory } from './fleet-in-memory.ts'
import { fleetViews } from './fleet-views.ts'

/** Check-ins, and profiles with hourly counts, that are deleted at once: about a millisecond each. */
const SLICE = 1_000
/** Check-ins that a sweep checks at once, and how often per round: 60 million per day. */
const SWEPT = 2_000
const SWEEPS = 20
/** Hourly adoption is kept for some days only. The daily counter stays. */
const KEEP_HOURS = 8 * 24

/** Deletes expired check-ins and hourly adoption, slice by slice. */
class OldCheckIns {
  readonly #database: TelemetryDatabase
  /** The hour of the last round that deleted expired hours. */
  #hoursDoneIn = 0
  /** The current sweep, and the day of the last one. */
  #sweep: LogSweep | undefined
  #sweptOn = 0

  constructor(database: TelemetryDatabase) {
    this.#database = database
  }

  /** One round, which yields after every slice. The next slice waits its turn behind the batches in between. */
  async *delete({ before, now }: CheckInRule): AsyncGenerator<void, void> {
    if (before !== undefined) {
      // First, because the oldest check-ins show how old the ones with a wrong clock before them are.
      yield* this.#sweepCheckIns(before, now)
      while ((await this.#database.deleteCheckIns(before, now, SLICE)) === SLICE) yield
    }
    yield* this.#deleteHours(hourOf(now))
  }

  /**
   * Goes through the entire log once a day: check-ins with a wrong clock are out of order and hide older
   * ones behind them.
   */
  async *#sweepCheckIns(before: number, now: number): AsyncGenerator<void, void> {
    const today = dayOf(now)
    if (this.#sweep === undefined && this.#sweptOn === today) return
    this.#sweptOn = today
    let sweep = this.#sweep ?? { below: Number.MAX_SAFE_INTEGER, later: now }
    for (let count = 0; count < SWEEPS && sweep.below > 0; count++) {
      sweep = await this.#database.sweepCheckIns(sweep, before, now, SWEPT)
      this.#sweep = sweep.below > 0 ? sweep : undefined
      yield
    }
  }

  async *#deleteHours(hour: number): AsyncGenerator<void, void> {
    if (this.#hoursDoneIn === hour) return
    let profile = 0
    do {
      yield
      profile = await this.#database.deleteHourlyAdoption(hour - KEEP_HOURS, profile, SLICE)
    } while (profile !== 0)
    this.#hoursDoneIn = hour
  }
}

/** Devices deleted per batch: a few milliseconds on the writer's thread. */
const DEVICES_AT_ONCE = 500

/**
 * Deletes devices that were not seen for a long time, and then frees the numbers of deleted ones. Yields how many
 * it deleted after every slice; the next one waits until that is stored.
 */
async function* deleteOldDevices(
  { memory, forgotten, writer }: FleetInMemory,
  database: Pick<FleetDatabase, 'staleDevices' | 'freedDevices'>,
  rule: DeviceRule,
): AsyncGenerator<number, void> {
  // No number was ever assigned, so none is looked for on another thread.
  if (memory.table.highest === 0) return
  let after = 0
  do {
    const chunks = memory.table.share()
    const query = { chunks, ...rule, after, limit: DEVICES_AT_ONCE }
    const { stale, next } = await database.staleDevices(query)
    const deleted = forgotten.forgetStale(stale)
    after = next
    yield deleted
    if (stale.length > 0) await writer.settled()
  } while (after !== 0)
  memory.reuse(await database.freedDevices(memory.table.share()))
}

/** Loads the fleet of a running server on SQLite: all devices in memory, and a database behind them. */
export async function openSqliteFleet(
  database: FleetDatabase,
  options: FleetOptions,
): Promise<StoredFleet> {
  const inMemory = await openFleetInMemory(database, options)
  const { feed, budgets, admission, labelBytes, recorder, writer, forgotten } = inMemory
  const oldCheckIns = new OldCheckIns(database)
  // Whoever awaits the commit in the same function would keep the facts until then.
  const recordAll = async (facts: FleetFacts) => recorder.recordAll(facts)
  return {
    ...fleetViews(inMemory, database),
    ...{ feed, budgets, admission, labelBytes },
    newestSeenAtStart: inMemory.memory.newestSeenAtStart,
    get health() {
      const { failure, ...health } = inMemory.health
      return { ...health, failure: failure && storageProblem(failure, database.file) }
    },
    record: (checkIn, labels) => recorder.record(checkIn, labels),
    recordOutcome: (report) => recorder.recordOutcome(report),
    commit: (facts) => recordAll(facts).then(() => writer.settled()),
    settled: () => writer.settled(),
    retainCheckIns: (rule) => oldCheckIns.delete(rule),
    retainDevices: (rule) => deleteOldDevices(inMemory, database, rule),
    retireProfiles: (before, after) => inMemory.retireProfiles(before, after),
    sampleHealth: database.sampleHealth,
    pendingErasures: database.pendingErasures,
    async forget(names) {
      for (const name of names) {
        if (!forgotten.erase(name)) throw new Error('a channel is being removed')
      }
      await writer.settled()
    },
    async remove(removal) {
      let outcome: RemovalOutcome = 'unknown'
      await inMemory.removals.run(removal.channelKeys, {
        deleteDevices: database.removeDevices,
        commit: async (devices) => {
          outcome = await database.remove(removal, devices)
          return outcome === 'removed'
        },
      })
      return outcome
    },
    stop: () => inMemory.stop(),
  }
}
