import { heldOffers } from '../../src/server/rules/plans/step-serving.ts'

/** Milliseconds. */
const HOUR = 3_600_000

/** Percentages and the hours to the next. */
export type Plan = readonly (readonly [rolloutPct: number, soakHours: number])[]

/** Plans as people make them. */
export const PLANS: readonly Plan[] = [
  // Cautious.
  [
    [1, 24],
    [5, 24],
    [10, 48],
    [25, 48],
    [50, 48],
    [100, 0],
  ],
  [
    [10, 24],
    [50, 24],
    [100, 0],
  ],
  [
    [5, 48],
    [20, 48],
    [50, 24],
    [100, 0],
  ],
  // In a day.
  [
    [10, 4],
    [25, 4],
    [50, 8],
    [100, 0],
  ],
  [
    [25, 24],
    [100, 0],
  ],
]

/** A plan at work. Times are hours of the simulation. */
export class RunningPlan {
  readonly #plan: Plan
  #step = 0
  #appliedAt: number
  #heldSince: number | null = null
  #offeredPct: number | null = null

  /** Applies the first step. */
  constructor(plan: Plan, at: number) {
    this.#plan = plan
    this.#appliedAt = at
  }

  get rolloutPct(): number {
    return this.#plan[this.#step]?.[0] ?? 0
  }

  /** When the next step has soaked; infinite after the last. */
  get dueAt(): number {
    const isLast = this.#step + 1 >= this.#plan.length
    return isLast ? Number.POSITIVE_INFINITY : this.#appliedAt + (this.#plan[this.#step]?.[1] ?? 0)
  }

  /** Percentage that devices are offered the release at. */
  get offeredPct(): number {
    return this.#offeredPct ?? this.rolloutPct
  }

  fork(): RunningPlan {
    const fork = new RunningPlan(this.#plan, this.#appliedAt)
    fork.#step = this.#step
    fork.#heldSince = this.#heldSince
    fork.#offeredPct = this.#offeredPct
    return fork
  }

  /** Applies no step, and offers only a part of the last one. */
  hold(at: number): void {
    this.#heldSince ??= at
    const from = this.#plan[this.#step - 1]?.[0] ?? 0
    const since = this.#heldSince * HOUR
    this.#offeredPct = heldOffers(from, this.rolloutPct, since, at * HOUR)
  }

  /** Offers all of the step, and applies the next one if this one has soaked. */
  advance(at: number): void {
    this.#heldSince = null
    this.#offeredPct = null
    if (at < this.dueAt) return
    this.#step += 1
    this.#appliedAt = at
  }
}
