import { dayOf } from '../../../../fleet/time.ts'
import { StorageError } from '../../../interface/storage-error.ts'
import type { BatchStore } from '../../../shared/ingest/writer.ts'
import type { PostgresDatabase } from '../../connection/database.ts'
import { isConflict } from '../../connection/errors.ts'
import type { Queries, Transaction } from '../../connection/queries.ts'
import type { Fact } from './fact.ts'
import { KnownProfiles } from './known-profiles.ts'
import { KnownReleases } from './known-releases.ts'
import { type FactBatch, numberOf, type Slice } from './queued-facts.ts'
import { offersOf } from './slice-facts.ts'
import { Outrun, SliceStore, type SliceStoreOptions, type StoredFacts } from './slice-store.ts'

/** Facts that are kept for inspection. */
const KEPT = 1_000

const SQL = {
  insert: 'INSERT INTO set_aside (at, node, batch, facts, reason) VALUES ($1, $2, $3, $4, $5)',
  trim: `DELETE FROM set_aside
    WHERE id <= (SELECT id FROM set_aside ORDER BY id DESC OFFSET ${KEPT} LIMIT 1)`,
  fence: `UPDATE nodes SET batch = $2 WHERE id = $1 AND batch < $2 AND ended_at IS NULL`,
  state: 'SELECT batch, ended_at IS NULL AS live FROM nodes WHERE id = $1',
} as const

/** When (Unix ms), by which node, and in which of its batches a fact was refused. */
interface RefusedIn {
  readonly at: number
  readonly node: number
  readonly batch: number
}

/** Keeps a fact that the database refuses, for inspection: the newest 1,000. Rejects with `StorageError`. */
async function setAside(
  queries: Queries,
  { at, node, batch }: RefusedIn,
  fact: Fact,
  reason: StorageError,
): Promise<void> {
  const text = JSON.stringify(fact).replaceAll('\\u0000', '')
  await queries.run(SQL.insert, [at, node, batch, text, reason.message])
  await queries.run(SQL.trim)
}

/** Attempts at a transaction that met another one. */
const ATTEMPTS = 10
/** Milliseconds for a statement of a batch: reports wait for it, and a batch that failed is stored again. */
const QUERY_TIME = 10_000

/** When it is in the log (Unix ms); undefined if it never is. */
function timeOf(fact: Fact): number | undefined {
  if (fact.kind === 'check_in') return fact.checkIn.at
  return fact.kind === 'labels' ? undefined : fact.report.at
}

export interface TelemetryStoreOptions extends SliceStoreOptions {
  /** Makes sure that the log has a partition for that time (Unix ms). */
  readonly ensurePartition: (at: number) => Promise<void>
  /** Most unverified profiles of an app. */
  readonly combinations: number
  /** Hears what was committed. */
  readonly onStored: (stored: StoredFacts) => void
  /** Unix ms. */
  readonly clock: () => number
}

/**
 * Stores telemetry in one transaction for each slice. A retry after a broken connection does nothing if the slice was committed.
 */
export class TelemetryStore implements BatchStore<FactBatch> {
  readonly profiles: KnownProfiles
  readonly releases: KnownReleases
  readonly #database: PostgresDatabase
  readonly #options: TelemetryStoreOptions
  readonly #slices: SliceStore
  readonly #days = new Set<number>()

  constructor(database: PostgresDatabase, options: TelemetryStoreOptions) {
    this.#database = database
    this.#options = options
    this.profiles = new KnownProfiles(database, options.combinations)
    this.releases = new KnownReleases(database)
    this.#slices = new SliceStore(database, this.profiles, this.releases, options)
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
          async (tx) => ((await begin(tx)) ? await this.#slices.store(tx, facts) : undefined),
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

/**
 * Begins a transaction that stores a slice, or one of its facts, as that number: no other one with its number, or of a node that has ended, can commit after it.
 * `node`: the id of the node that writes. Returns false if it was committed before, and only the answer was lost.
 * Rejects with `StorageError` `unwritable` if the node has ended.
 */
async function fence(
  tx: Transaction,
  node: number,
  slice: Slice,
  number: number,
): Promise<boolean> {
  const { triedBy = node } = slice
  if (triedBy !== node && (await hasStored(tx, triedBy, number))) return false
  slice.triedBy = node
  if ((await tx.run(SQL.fence, [node, number])) === 1) return true
  const state = await tx.row<{ batch: number; live: boolean }>(SQL.state, [node])
  if (state?.live === true && state.batch >= number) return false
  throw new StorageError({ code: 'unwritable', file: tx.location, detail: 'the node has ended' })
}

/** Whether a node that others have ended, and whose batches so do not grow any more, had stored that one. */
async function hasStored(tx: Transaction, node: number, number: number): Promise<boolean> {
  const state = await tx.row<{ batch: number }>(SQL.state, [node])
  return state !== undefined && state.batch >= number
}
