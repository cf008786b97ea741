import type { DeviceTable } from '../memory/device-table.ts'

/** Milliseconds from the start of one round to the start of the next, at least. */
const ROUND_TIME = 5_000
/** Rows a batch: as many as take about this many milliseconds, between the two bounds. */
const ROWS_TIME = 6
const FEWEST_ROWS = 500
const MOST_ROWS = 16_000

/**
 * Decides when device rows that are behind the check-in log are written: in rounds through the entire table, in
 * order, with a pause in between. The longer the pause, the more rows share a page, and
 * the more check-ins are replayed after a crash.
 */
export class DeviceRowFlusher {
  readonly #table: DeviceTable
  /** The rows contain the check-ins up to this one. */
  #rowsThrough: number
  /** The newest check-in at the start of the current round; undefined between rounds. */
  #began: number | undefined
  #nextAt = 0
  #hurried = false
  /** Approximate number of rows in the next batch. */
  #limit = FEWEST_ROWS

  constructor(table: DeviceTable, rowsThrough: number) {
    this.#table = table
    this.#rowsThrough = rowsThrough
  }

  /** The returned rows contain the check-ins up to this one. */
  get rowsThrough(): number {
    return this.#rowsThrough
  }

  /** Milliseconds until rows should be written; undefined if none is behind. */
  get dueIn(): number | undefined {
    if (this.#table.behind === 0) return undefined
    if (this.#hurried || this.#began !== undefined) return 0
    return Math.max(0, this.#nextAt - performance.now())
  }

  /** Omits the pauses from now on, for a stop. */
  hurry(): void {
    this.#hurried = true
  }

  /** Adapts the number of rows in a batch to the milliseconds that the last batch took. */
  pace(milliseconds: number): void {
    if (milliseconds > ROWS_TIME) this.#limit = Math.max(FEWEST_ROWS, this.#limit / 2)
    else this.#limit = Math.min(MOST_ROWS, this.#limit * 2)
  }

  /**
   * Returns the rows for a batch, and the check-in up to which the rows are complete once it is committed.
   * `lastCheckIn` is the newest one; the table already contains it.
   */
  take(lastCheckIn: number): { deviceRows: Float64Array; rowsThrough: number } {
    if (this.#began === undefined) {
      if (this.#table.behind === 0) this.#rowsThrough = lastCheckIn
      if (this.dueIn !== 0) {
        return { deviceRows: new Float64Array(), rowsThrough: this.#rowsThrough }
      }
      this.#began = lastCheckIn
      this.#nextAt = performance.now() + ROUND_TIME
    }
    const { rows: deviceRows, wrapped } = this.#table.takeBehind(this.#limit)
    if (wrapped) {
      this.#rowsThrough = this.#began
      this.#began = undefined
    }
    return { deviceRows, rowsThrough: this.#rowsThrough }
  }
}
