import { TokenBuckets } from '../limits/token-buckets.ts'
import type { Budgets } from './budgets.ts'

/** Milliseconds in which the budget of an address fills up again. */
const HOUR = 3_600_000

/** What callers without a key may add to the fleet. */
export class Admission {
  /**
   * False while the disk is nearly full: then they add no rows. Read with every heartbeat, so a
   * plain field.
   */
  addsRows = true
  readonly #newDevices: TokenBuckets
  readonly #budgets: Budgets

  /** `newDevices`: how many an address may add in an hour; 0 for no limit. */
  constructor(newDevices: number, budgets: Budgets) {
    this.#newDevices = new TokenBuckets({ capacity: newDevices, period: HOUR })
    this.#budgets = budgets
  }

  /** Returns whether a new device of that address, as limits count it, is added. */
  admits(address: string): boolean {
    if (this.#newDevices.take(address).allowed) return true
    this.#budgets.usedUp('new_devices')
    return false
  }
}
