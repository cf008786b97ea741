import type { Admission } from './ingest/admission.ts'
import type { Budgets } from './ingest/budgets.ts'
import type { LiveFeed } from './ingest/live-feed.ts'
import type { FleetStore, FleetUpkeep } from './store.ts'

/** The fleet of a running server: its storage, its listeners and the budgets of callers. */
export interface Fleet extends FleetStore {
  readonly feed: LiveFeed
  readonly budgets: Budgets
  readonly admission: Admission
  /** Maximum bytes of labels per device. */
  readonly labelBytes: number
}

/** The fleet for its owner, which keeps it within its limits and stops it. */
export interface OpenFleet extends Fleet, FleetUpkeep {
  /** Writes pending data, for at most 15 seconds. Rejects if that fails. */
  stop(): Promise<void>
}
