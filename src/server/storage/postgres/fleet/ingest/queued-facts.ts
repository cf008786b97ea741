import type { FleetFacts } from '../../../../fleet/check-in.ts'
import { NotStored } from '../../../../fleet/ingest/not-stored.ts'
import type { TelemetrySource } from '../../../shared/ingest/telemetry-source.ts'
import { PendingLabels } from '../labels/pending-labels.ts'
import type { Call, Fact } from './fact.ts'

/** Most facts that wait for the writer: some seconds of the heaviest load. */
export const MAX_WAITING = 262_144
/** Of those, most check-ins that change labels: callers without a key can send some kilobytes with each. */
export const MAX_LABELLED = 65_536
/**
 * Facts of a transaction, about: what one call reports is never divided. With fewer, each takes more of the work that a
 * transaction has whatever its size; with more, nodes wait longer for rows of each other.
 */
const SLICE = 1_000

/** What one transaction stores. */
export interface Slice {
  /** Rises with every transaction of the process. One that is committed is not applied again. See `numberOf`. */
  readonly number: number
  readonly facts: readonly Fact[]
  /** How many of the facts were stored, or set aside, one by one: a salvage that is interrupted goes on behind them. */
  salvaged: number
  /** The node that has tried to store it last: the answer may be lost. */
  triedBy?: number
}

export interface FactBatch {
  /** All facts, of all slices. */
  readonly checkIns: readonly Fact[]
  readonly slices: readonly Slice[]
  /** How many slices are stored. */
  done: number
  /** How many facts were set aside. */
  refused: number
}

/** The number of the transaction that stores one fact of a slice: above those of the slice before, below that of its own. */
export function numberOf({ number, facts }: Slice, fact: number): number {
  return number - facts.length + fact
}

/** Facts on their way to the database, oldest first. */
export class QueuedFacts implements TelemetrySource<FactBatch> {
  /** Each entry is what belongs together: one check-in, or everything of one call. */
  #groups: (readonly Fact[])[] = []
  readonly pendingLabels = new PendingLabels()
  #waiting = 0
  /** Check-ins among them that change labels. */
  #labelled = 0
  /** Facts of the batch that is being stored. */
  #underWay = 0
  #lost = 0
  /** Of the last slice. */
  #number = 0

  /** Check-ins that were not stored since the start. */
  get lost(): number {
    return this.#lost
  }

  get waiting(): number {
    return this.#waiting
  }

  get dirty(): boolean {
    return this.#waiting > 0 || this.#underWay > 0
  }

  get dueIn(): number | undefined {
    return this.#waiting > 0 ? 0 : undefined
  }

  /** Adds a fact that nobody waits for. If there is no room, it is counted as lost. */
  add(fact: Fact): void {
    const isLabelled = fact.kind === 'check_in' && fact.labels !== undefined
    if (this.#waiting >= MAX_WAITING || (isLabelled && this.#labelled >= MAX_LABELLED)) {
      this.#lost++
      return
    }
    if (isLabelled) this.#labelled++
    this.#groups.push([fact])
    this.#waiting++
    this.pendingLabels.add(fact)
  }

  /** Adds all of a call, which is stored all or nothing. Throws `NotStored` if there is no room. */
  addAll({ checkIns, reports, outcomes = [], labelDeltas }: FleetFacts): Call {
    const call = { isRefused: false }
    const labels = undefined
    const facts: Fact[] = [
      ...checkIns.map((checkIn) => ({ kind: 'check_in', checkIn, labels, call }) as const),
      ...reports.map((report) => ({ kind: 'report', report, call }) as const),
      ...outcomes.map((report) => ({ kind: 'outcome', report, call }) as const),
      ...labelDeltas.map((delta) => ({ kind: 'labels', delta, call }) as const),
    ]
    if (facts.length === 0) return call
    if (this.#waiting + facts.length > MAX_WAITING) throw new NotStored('behind')
    this.#groups.push(facts)
    this.#waiting += facts.length
    for (const fact of facts) this.pendingLabels.add(fact)
    return call
  }

  takeBatch(): FactBatch {
    const groups = this.#groups
    this.#groups = []
    this.#underWay = this.#waiting
    this.#waiting = 0
    this.#labelled = 0
    const slices: Slice[] = []
    let facts: Fact[] = []
    for (const [at, group] of groups.entries()) {
      for (const fact of group) facts.push(fact)
      if (facts.length < SLICE && at < groups.length - 1) continue
      // One for each fact, and one for all.
      this.#number += facts.length + 1
      slices.push({ number: this.#number, facts, salvaged: 0 })
      facts = []
    }
    return { checkIns: groups.flat(), slices, done: 0, refused: 0 }
  }

  committed({ checkIns }: FactBatch): void {
    this.#underWay = 0
    for (const fact of checkIns) this.pendingLabels.remove(fact)
  }

  refused(count: number): void {
    this.#lost += count
  }
}
