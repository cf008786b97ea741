import { TokenBuckets } from '../limits/token-buckets.ts'
import type { Budgets } from './budgets.ts'

/** Milliseconds in which the budget of an address refills. */
const HOUR = 3_600_000

/** What callers without a key may add to the fleet. */
export class Admission {
  /**
   * False while the disk is nearly full: then callers add no rows. A plain field, because it is read
   * with every heartbeat.
   */
  addsRows = true
  readonly #newDevices: TokenBuckets
  readonly #budgets: Budgets

  /** `newDevices`: how many an address can add per hour; 0 for no limit. */
  constructor(newDevices: number, budgets: Budgets) {
    this.#newDevices = new TokenBuckets({ capacity: newDevices, period: HOUR })
    this.#budgets = budgets
  }

  /** Returns whether a new device of that address key is added. */
  admits(address: string): boolean {
    if (this.#newDevices.take(address).allowed) return true
    this.#budgets.usedUp('new_devices')
    return false
  }
}
