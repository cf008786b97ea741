import { type Sharers, TokenBuckets } from '../../runtime/limits/token-buckets.ts'
import type { Budgets } from './budgets.ts'

/** Milliseconds in which the budget of an address refills. */
const HOUR = 3_600_000
/** Number of devices up to which callers without a key can add new ones: about 300 MB of memory. */
const MOST_DEVICES = 5_000_000

export interface AdmissionOptions {
  readonly mostDevices?: number | undefined
  readonly sharers?: Sharers | undefined
}

/** What callers without a key can add to the fleet. */
export class Admission {
  /**
   * False while the disk is nearly full: then callers add no rows. A plain field, because it is read
   * with every check-in.
   */
  addsRows = true
  readonly #newDevices: TokenBuckets
  readonly #budgets: Budgets

  readonly #mostDevices: number

  /**
   * `newDevices`: devices that an address can add per hour; 0 for no limit. `mostDevices`: maximum devices in
   * total, so that many addresses together cannot fill the memory. `sharers`: the nodes that divide `newDevices`.
   */
  constructor(
    newDevices: number,
    budgets: Budgets,
    { mostDevices = MOST_DEVICES, sharers }: AdmissionOptions = {},
  ) {
    this.#newDevices = new TokenBuckets({ capacity: newDevices, period: HOUR, sharers })
    this.#budgets = budgets
    this.#mostDevices = mostDevices
  }

  /**
   * Returns whether a new device of that address key can be added to the `devices` existing ones.
   */
  admits(address: string, devices: number): boolean {
    if (devices < this.#mostDevices && this.#newDevices.take(address).allowed) return true
    this.#budgets.usedUp('new_devices')
    return false
  }
}
