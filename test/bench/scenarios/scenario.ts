import type { Seeds } from '../fleet/seeds.ts'
import type { Table } from '../output/table.ts'
import type { Tidegate } from '../process/tidegate.ts'
import type { Workspace } from '../process/workspace.ts'
import type { Scale } from '../scale.ts'

/** The input of every scenario. */
export interface Bench {
  readonly workspace: Workspace
  readonly tidegate: Tidegate
  readonly seeds: Seeds
  readonly scale: Scale
  /** Only cases whose name contains this text. */
  readonly only: string
}

/** Measures one thing and returns the results. */
export type Scenario = (bench: Bench) => Promise<Table>
