import { dayOf } from '../../../../fleet/time.ts'
import type { Queries } from '../../connection/queries.ts'

/** Ids of devices in a block, and of check-ins. */
const DEVICES = 1_024
const CHECK_INS = 4_096

/** Returns the highest id of a device in the blocks up to one; 0 if none was taken. */
export function lastDeviceOf(block: number): number {
  return block === 0 ? 0 : (block + 1) * DEVICES - 1
}

/** Returns the same for check-ins, without the day. */
export function lastCheckInOf(block: number): number {
  return block === 0 ? 0 : (block + 1) * CHECK_INS - 1
}

/** Returns the block that the id of a device is in. */
export function blockOfDevice(id: number): number {
  return Math.floor(id / DEVICES)
}

/** Returns the same for a check-in, without the day. */
export function blockOfCheckIn(number: number): number {
  return Math.floor(number / CHECK_INS)
}

/** Numbers from blocks that a node takes from a sequence of the database. Numbers of a batch that fails are not used. */
class Blocks {
  readonly #queries: Queries
  readonly #sequence: string
  readonly #size: number
  #next = 0
  #end = 0
  /** Whole blocks after the present one. */
  readonly #taken: number[] = []

  constructor(queries: Queries, sequence: string, size: number) {
    this.#queries = queries
    this.#sequence = sequence
    this.#size = size
  }

  /** Takes blocks until `count` numbers are at hand. */
  async reserve(count: number): Promise<void> {
    const here = this.#end - this.#next + this.#taken.length * this.#size
    const blocks = Math.ceil((count - here) / this.#size)
    if (blocks <= 0) return
    const rows = await this.#queries.rows<{ block: number }>(
      `SELECT nextval('${this.#sequence}') AS block FROM generate_series(1, $1)`,
      [blocks],
    )
    for (const { block } of rows) this.#taken.push(block)
  }

  /** The next number. Throws if none is at hand. */
  next(): number {
    if (this.#next === this.#end) {
      const block = this.#taken.shift()
      if (block === undefined) throw new Error(`no number of ${this.#sequence} is reserved`)
      this.#next = block * this.#size
      this.#end = this.#next + this.#size
    }
    return this.#next++
  }
}

/** Ids of new devices and check-ins, that no other node gives out. */
export class IdBlocks {
  readonly #devices: Blocks
  readonly #checkIns: Blocks

  constructor(queries: Queries) {
    this.#devices = new Blocks(queries, 'device_blocks', DEVICES)
    this.#checkIns = new Blocks(queries, 'check_in_blocks', CHECK_INS)
  }

  /** Makes sure that there are ids for a batch. */
  async reserve(devices: number, checkIns: number): Promise<void> {
    await this.#devices.reserve(devices)
    await this.#checkIns.reserve(checkIns)
  }

  device(): number {
    return this.#devices.next()
  }

  /** The id of a check-in at `at` (Unix ms): its day tells the partition. */
  checkIn(at: number): number {
    return firstIdOf(dayOf(at)) + this.#checkIns.next()
  }
}

/** Ids of a day: the day times this, and a number below it. */
const IDS_OF_DAY = 2 ** 36

/** Returns the lowest id that a check-in of a UTC day (since 1970-01-01) can have. */
export function firstIdOf(day: number): number {
  return day * IDS_OF_DAY
}
