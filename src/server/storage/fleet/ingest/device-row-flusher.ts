import type { DeviceTable } from '../memory/device-table.ts'

/** Milliseconds from the start of one round to the start of the next, at least. */
const ROUND_TIME = 5_000
/** Rows a batch: as many as take about this many milliseconds, between the two bounds. */
const ROWS_TIME = 6
const FEWEST_ROWS = 500
const MOST_ROWS = 16_000

/**
 * When the device rows that are behind the check-in log are written: in rounds through the whole
 * table, in order, with a pause in between. The longer the pause, the more rows share a page, and
 * the more check-ins are replayed after a crash.
 */
export class DeviceRowFlusher {
  readonly #table: DeviceTable
  /** The rows contain the check-ins up to this one. */
  #rowsThrough: number
  /** The newest check-in when the present round began; undefined between two rounds. */
  #began: number | undefined
  #nextAt = 0
  #hurried = false
  /** Rows of the next batch, about. */
  #limit = FEWEST_ROWS

  constructor(table: DeviceTable, rowsThrough: number) {
    this.#table = table
    this.#rowsThrough = rowsThrough
  }

  /** The rows that were handed out contain the check-ins up to this one. */
  get rowsThrough(): number {
    return this.#rowsThrough
  }

  /** Milliseconds until rows should be written; undefined if none is behind. */
  get dueIn(): number | undefined {
    if (this.#table.behind === 0) return undefined
    if (this.#hurried || this.#began !== undefined) return 0
    return Math.max(0, this.#nextAt - performance.now())
  }

  /** From now on without pauses, because there will be no later. */
  hurry(): void {
    this.#hurried = true
  }

  /** Adapts how many rows a batch has to the milliseconds that those of the last one took. */
  pace(milliseconds: number): void {
    if (milliseconds > ROWS_TIME) this.#limit = Math.max(FEWEST_ROWS, this.#limit / 2)
    else this.#limit = Math.min(MOST_ROWS, this.#limit * 2)
  }

  /**
   * The rows for a batch, and up to which check-in the rows are complete
   * once it is committed. `lastCheckIn` is the newest one; its device is in the table already.
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
