import type { Admission } from './ingest/admission.ts'
import type { Budgets } from './ingest/budgets.ts'
import type { LiveFeed } from './ingest/live-feed.ts'
import type { FleetStore, FleetUpkeep } from './store.ts'

/** The fleet of a running server: where it is kept, who hears of it, and what callers may add to it. */
export interface Fleet extends FleetStore {
  readonly feed: LiveFeed
  readonly budgets: Budgets
  readonly admission: Admission
  /** Maximum bytes of labels per device. */
  readonly labelBytes: number
}

/** The fleet for whoever started it: it is kept within its limits, and stopped. */
export interface OpenFleet extends Fleet, FleetUpkeep {
  /** Writes what is left, for at most 15 seconds. Rejects when it failed. */
  stop(): Promise<void>
}
