import type { CheckIn } from '../../../../fleet/check-in.ts'
import { releaseOf } from '../../../../fleet/health/packed-episode.ts'
import { dayOf } from '../../../../fleet/time.ts'
import type { BatchStore } from '../../../fleet/ingest/writer.ts'
import { DeviceTable } from '../../../fleet/memory/device-table.ts'
import type { KnownProfile } from '../../../fleet/memory/profile-tree.ts'
import { StorageError } from '../../../interface/storage-error.ts'
import type { PostgresDatabase, Transaction } from '../../connection/database.ts'
import { isConflict } from '../../connection/errors.ts'
import { BatchDevices } from './batch-devices.ts'
import type { Fact } from './fact.ts'
import { fence } from './fence.ts'
import { IdBlocks } from './id-blocks.ts'
import { KnownProfiles } from './known-profiles.ts'
import { KnownReleases } from './known-releases.ts'
import { meetDevices, plainCheckIns } from './plain-check-ins.ts'
import { type FactBatch, numberOf, type Slice } from './queued-facts.ts'
import { setAside } from './set-aside.ts'
import { namedDevices, offersOf, runningOf, type Sent, sentOf } from './slice-facts.ts'
import { SliceWork } from './slice-work.ts'
import { type ChangedLabels, holdProfiles, writeLabels, writeWork } from './slice-writes.ts'

/** Attempts at a transaction that met another one. */
const ATTEMPTS = 10
/** Milliseconds for a statement of a batch: reports wait for it, and a batch that failed is stored again. */
const QUERY_TIME = 10_000

/** Refuses the calls that report a device on a channel which is being removed. Returns whether there are any. */
function refuseCalls(
  sent: readonly Sent[],
  running: readonly (KnownProfile | undefined)[],
): boolean {
  const calls = sent.flatMap(({ fact: { call } }, at) =>
    running[at] === undefined && call !== undefined ? [call] : [],
  )
  for (const call of calls) call.isRefused = true
  return calls.length > 0
}

function isRefused({ call }: Fact): boolean {
  return call?.isRefused === true
}

/** When it is in the log (Unix ms); undefined if it never is. */
function timeOf(fact: Fact): number | undefined {
  if (fact.kind === 'check_in') return fact.checkIn.at
  return fact.kind === 'labels' ? undefined : fact.report.at
}

/** The node that writes: every batch is fenced with it. */
export interface WritingNode {
  readonly id: number
  /** Of its counters. */
  readonly slot: number
}

export interface TelemetryStoreOptions {
  readonly node: () => WritingNode
  /** Makes sure that the log has a partition for that time (Unix ms). */
  readonly ensurePartition: (at: number) => Promise<void>
  /** Most unverified profiles of an app. */
  readonly combinations: number
  readonly labelBytes: number
  readonly isRolledBack: (channelKey: number, version: string) => boolean
  /** Whether a caller without a key may add a device. Called once for a check-in. */
  readonly admits: (caller: string) => boolean
  readonly onUsedUp: (budget: 'combinations' | 'labels') => void
  /** Hears what was committed. */
  readonly onStored: (stored: StoredFacts) => void
  /** Unix ms. */
  readonly clock: () => number
}

export interface StoredFacts {
  readonly events: readonly CheckIn[]
  readonly labels: readonly ChangedLabels[]
}

/** Another transaction changed what this one was based on: the next attempt sees it. */
class Outrun extends Error {}

/**
 * Stores telemetry in one transaction for each slice: locks the rows of its devices, applies the facts to them, and writes
 * everything with one call. A retry after a broken connection does nothing if the slice was committed.
 */
export class TelemetryStore implements BatchStore<FactBatch> {
  readonly profiles: KnownProfiles
  readonly releases: KnownReleases
  readonly #database: PostgresDatabase
  readonly #options: TelemetryStoreOptions
  readonly #ids: IdBlocks
  readonly #days = new Set<number>()
  /** Of the batch that is being stored: one at a time. */
  readonly #table = new DeviceTable()

  constructor(database: PostgresDatabase, options: TelemetryStoreOptions) {
    this.#database = database
    this.#options = options
    this.#ids = new IdBlocks(database)
    this.profiles = new KnownProfiles(database, options.combinations)
    this.releases = new KnownReleases(database)
  }

  async commit(batch: FactBatch): Promise<number> {
    for (const slice of batch.slices.slice(batch.done)) {
      await this.#store(slice)
      batch.done++
    }
    await this.profiles.storeUse()
    return 0
  }

  /**
   * Stores what is left fact by fact, and sets aside those that the database refuses. When it fails, it goes on where it was
   * with the next call.
   */
  async salvage(batch: FactBatch): Promise<number> {
    for (const slice of batch.slices.slice(batch.done)) {
      for (const fact of slice.facts.slice(slice.salvaged)) {
        const number = numberOf(slice, slice.salvaged)
        const begin = (tx: Transaction) => this.#begin(tx, slice, number)
        try {
          await this.#attempts([fact], begin)
        } catch (error) {
          if (!(error instanceof StorageError) || error.code !== 'rejected') throw error
          const { node, clock } = this.#options
          const place = { at: clock(), node: node().id, batch: slice.number }
          await this.#database.transaction(async (tx) => {
            if (await begin(tx)) await setAside(tx, place, fact, error)
          })
          batch.refused++
        }
        slice.salvaged++
      }
      batch.done++
    }
    return batch.refused
  }

  #store(slice: Slice): Promise<void> {
    return this.#attempts(slice.facts, (tx) => this.#begin(tx, slice, slice.number))
  }

  #begin(tx: Transaction, slice: Slice, number: number): Promise<boolean> {
    return fence(tx, this.#options.node().id, slice, number)
  }

  /** `begin`: the first statement of the transaction; false if there is nothing to do. */
  async #attempts(
    facts: readonly Fact[],
    begin: (tx: Transaction) => Promise<boolean>,
  ): Promise<void> {
    for (const day of this.#newDays(facts)) await this.#ensureDay(day)
    await this.releases.number(offersOf(facts))
    const outcomes = facts.flatMap((fact) =>
      fact.kind === 'outcome' ? [fact.report.releaseId] : [],
    )
    await this.releases.find(outcomes)
    for (let attempt = 1; ; attempt++) {
      try {
        const stored = await this.#database.transaction(
          async (tx) => ((await begin(tx)) ? await this.#apply(tx, facts) : undefined),
          { queryTime: QUERY_TIME, byIndex: true },
        )
        if (stored !== undefined) this.#options.onStored(stored)
        return
      } catch (error) {
        const isOutrun = error instanceof Outrun || isConflict(error)
        if (!isOutrun || attempt === ATTEMPTS) throw error
      }
    }
  }

  async #apply(tx: Transaction, given: readonly Fact[]): Promise<StoredFacts> {
    const { slot } = this.#options.node()
    const { profiles, releases } = this
    const facts = given.filter((fact) => !isRefused(fact))
    const named = namedDevices(facts)
    // Twice: a check-in that is not plain takes another one.
    await this.#ids.reserve(0, 2 * facts.length)
    const { rows, stored, moves } = await meetDevices(
      tx,
      named,
      plainCheckIns(named, profiles, this.#ids),
    )
    await releases.meet(rows.map(({ episode }) => releaseOf(episode)))
    await profiles.meet(rows.map(({ profile }) => profile))
    const devices = new BatchDevices(this.#table)
    for (const row of rows) {
      const name = named[row.place - 1]
      if (name !== undefined) devices.load(name, row, releases.offered)
    }
    const done = new Set(stored.map(({ checkIn }) => checkIn))
    const left = facts.filter((fact) => fact.kind !== 'check_in' || !done.has(fact.checkIn))
    const sent = sentOf(left, devices, profiles)
    const running = await runningOf(sent, profiles, () => this.#options.onUsedUp('combinations'))
    const used = new Set(
      [...running, ...stored.map((plain) => plain.running)].flatMap((known) =>
        known === undefined ? [] : [known.profile.id],
      ),
    )
    const gone = await holdProfiles(tx, used)
    if (gone.length > 0) {
      profiles.forget(gone)
      throw new Outrun('profiles were removed')
    }
    if (refuseCalls(sent, running) && stored.length > 0) throw new Outrun('a call is refused')
    await this.#ids.reserve(named.length - stored.length, 0)
    const work = new SliceWork({
      ...{ devices, profiles, ids: this.#ids },
      releases: releases.offered,
      isRolledBack: this.#options.isRolledBack,
    })
    for (const plain of stored) work.plain(plain)
    for (const move of moves) work.hourMove(move)
    for (const [at, { checkIn, fact }] of sent.entries()) {
      const known = running[at]
      // The channel was removed.
      if (known === undefined || isRefused(fact)) continue
      work.checkIn(checkIn, known, () => this.#mayAdd(fact))
    }
    work.rest(facts.filter((fact) => !isRefused(fact)))
    for (const device of work.added.keys()) devices.setId(device, this.#ids.device())
    if (!(await writeWork(tx, slot, work, devices))) throw new Outrun('a device was added')
    const { labelBytes, onUsedUp } = this.#options
    const labels = await writeLabels(tx, work.labels, devices, labelBytes, () => onUsedUp('labels'))
    return { events: work.events, labels }
  }

  #mayAdd(fact: Fact): boolean {
    if (fact.kind !== 'check_in') return true
    const { caller } = fact.checkIn
    fact.admitted ??= caller === undefined || this.#options.admits(caller)
    return fact.admitted
  }

  /** A time (Unix ms) of each UTC day that the log may have no partition for. */
  #newDays(facts: readonly Fact[]): Iterable<number> {
    const days = new Map<number, number>()
    for (const fact of facts) {
      const at = timeOf(fact)
      if (at !== undefined && !this.#days.has(dayOf(at))) days.set(dayOf(at), at)
    }
    return days.values()
  }

  async #ensureDay(at: number): Promise<void> {
    await this.#options.ensurePartition(at)
    this.#days.add(dayOf(at))
  }
}
