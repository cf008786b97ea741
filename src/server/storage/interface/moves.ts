/** Where a move reads or writes: a data folder with SQLite, or a PostgreSQL database. */
export type MovePlace =
  | { readonly kind: 'folder'; readonly folder: string }
  /** `url`: a connection URI, with its password. */
  | { readonly kind: 'postgres'; readonly url: string }

export interface MoveProgress {
  readonly phase: 'copying' | 'verifying'
  /** Rows so far, and all of them. */
  readonly done: number
  readonly total: number
}

export interface MoveOptions {
  readonly from: MovePlace
  readonly to: MovePlace
  /** Ends the move after the present batch; the same call goes on from there. */
  readonly signal?: AbortSignal | undefined
  /** Called after every batch. */
  readonly onProgress?: ((progress: MoveProgress) => void) | undefined
}

export interface MoveResult {
  /** As people may read them: without passwords. */
  readonly from: string
  readonly to: string
  /** Whether an earlier call had begun. */
  readonly resumed: boolean
  /** What both sides have: rows by table, and devices by app. */
  readonly tables: readonly { readonly table: string; readonly rows: number }[]
  readonly devices: readonly { readonly app: string; readonly devices: number }[]
}

/**
 * Why a move is refused, or what it found wrong:
 * - `no_source`: nothing is stored there
 * - `older_source`: its schema must be upgraded first
 * - `not_empty`: the target has data, such as rows of `table`; null for a database file
 * - `foreign`: the target has a table of another program
 * - `in_use`: nodes serve from the database, named in `nodes`; empty while another move holds it
 * - `other_move`: the target is half-moved from another source
 * - `other_version`: the target is half-moved by another version of this program
 * - `changed`: the source has changed since the move began
 * - `mismatch`: the sides differ in `table`; the rows of each
 * - `miscounted`: the counters of devices by last check-in differ from the devices, by so many cells
 * - `many_devices`: numbers of devices are too high for SQLite
 * - `no_move`: there is nothing to discard
 */
export type MoveProblem = { readonly place: string } & (
  | { readonly kind: 'no_source' | 'other_version' | 'changed' | 'no_move' | 'many_devices' }
  | { readonly kind: 'older_source'; readonly found: number; readonly needed: number }
  | { readonly kind: 'not_empty'; readonly table: string | null }
  | { readonly kind: 'foreign'; readonly table: string }
  | { readonly kind: 'in_use'; readonly nodes: readonly string[] }
  | { readonly kind: 'other_move'; readonly source: string }
  | {
      readonly kind: 'mismatch'
      readonly table: string
      readonly rows: number
      readonly expected: number
    }
  | { readonly kind: 'miscounted'; readonly cells: number }
)

/** A move that cannot begin, or whose outcome is wrong. Its message is for developers. */
export class MoveError extends Error {
  override readonly name = 'MoveError'
  readonly problem: MoveProblem

  constructor(problem: MoveProblem) {
    super(`${problem.kind}: ${problem.place}`)
    this.problem = problem
  }
}
