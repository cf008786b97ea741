import { BudgetName, type UsedBudget } from '../../../shared/operation/budgets.ts'

/** Milliseconds without a refusal after which a budget no longer counts as used up. */
const SPELL = 3_600_000

interface Spell {
  readonly since: number
  last: number
  count: number
  /** Last refusal and last notice, on the monotonic clock. */
  refusedAt: number
  notedAt: number
}

export interface BudgetOptions {
  /** Unix time in milliseconds, for display. */
  readonly clock: () => number
  /** Called when a budget is first used up, and once an hour while it stays used up. */
  readonly onUsedUp: (budget: UsedBudget) => void
  /** Monotonic clock, in milliseconds. */
  readonly monotonic?: () => number
}

/** Tracks which budgets were recently used up, with one small record per budget. */
export class Budgets {
  readonly #spells = new Map<BudgetName, Spell>()
  readonly #clock: () => number
  readonly #monotonic: () => number
  readonly #onUsedUp: (budget: UsedBudget) => void

  constructor({ clock, onUsedUp, monotonic = () => performance.now() }: BudgetOptions) {
    this.#clock = clock
    this.#monotonic = monotonic
    this.#onUsedUp = onUsedUp
  }

  /** Records that the budget rejected something. Cheap enough for every request. */
  usedUp(name: BudgetName): void {
    const at = this.#clock()
    const now = this.#monotonic()
    const known = this.#spells.get(name)
    if (known !== undefined && now - known.refusedAt < SPELL) {
      known.last = at
      known.count++
      known.refusedAt = now
      if (now - known.notedAt >= SPELL) this.#notice(name, known, now)
      return
    }
    const spell = { since: at, last: at, count: 1, refusedAt: now, notedAt: now }
    this.#spells.set(name, spell)
    this.#notice(name, spell, now)
  }

  /** The budgets that refused something within the last hour, in the order of their names. */
  get recent(): readonly UsedBudget[] {
    const now = this.#monotonic()
    return BudgetName.options.flatMap((name) => {
      const spell = this.#spells.get(name)
      return spell === undefined || now - spell.refusedAt >= SPELL ? [] : [shown(name, spell)]
    })
  }

  #notice(name: BudgetName, spell: Spell, now: number): void {
    spell.notedAt = now
    this.#onUsedUp(shown(name, spell))
  }
}

function shown(name: BudgetName, { since, last, count }: Spell): UsedBudget {
  return { name, since: new Date(since).toISOString(), last: new Date(last).toISOString(), count }
}
