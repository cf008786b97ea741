import type { UsedBudget } from '../../shared/operation/budgets.ts'
import { SERVER_NUMBERS } from '../../shared/operation/server-numbers.ts'
import type { Sharers } from '../runtime/limits/token-buckets.ts'
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

const { labelBytes, newDevices, combinations } = SERVER_NUMBERS.budgets

export interface FleetOptions {
  /** Called for every failed write. */
  readonly onFailure: (error: unknown) => void
  /** Called with how many check-ins the database permanently refused, and why. */
  readonly onSetAside?: (checkIns: number, reason: Error | null) => void
  /** Unix time in milliseconds; the computer's clock by default. */
  readonly clock?: () => number
  /** Called when a budget is used up, at most once an hour per budget. */
  readonly onUsedUp?: (budget: UsedBudget) => void
  /** Maximum bytes of labels per device; 4,096 by default. */
  readonly labelBytes?: number
  /** New devices per hour and address of a caller without a key, 0 for no limit; 1,000 by default. */
  readonly newDevices?: number
  /** The nodes that divide `newDevices`; by default, there is one. */
  readonly sharers?: Sharers | undefined
  /** Maximum unreleased combinations of version and platform per app; 2,000 by default. */
  readonly combinations?: number
  /** Returns whether a version of a channel was rolled back; by default, none was. */
  readonly isRolledBack?: (channelKey: number, version: string) => boolean
}

export const DEFAULTS = {
  onSetAside: () => {},
  onUsedUp: () => {},
  isRolledBack: () => false,
  clock: Date.now,
  labelBytes: labelBytes.default,
  newDevices: newDevices.default,
  combinations: combinations.default,
} as const satisfies Partial<FleetOptions>
