import type { UsedBudget } from '../../shared/budgets.ts'
import { LABEL_BYTES } from './labels.ts'

export interface FleetOptions {
  /** Hears of every write that failed. */
  readonly onFailure: (error: unknown) => void
  /** Called with how many check-ins the database permanently refused, and why. */
  readonly onSetAside?: (heartbeats: number, reason: string) => void
  /** Unix time in milliseconds; that of the machine where it is left out. */
  readonly clock?: () => number
  /** Called when a budget is used up, at most once an hour per budget. */
  readonly onUsedUp?: (budget: UsedBudget) => void
  /** Maximum bytes of labels per device; 4,096 by default. */
  readonly labelBytes?: number
  /** New devices per hour and address of a caller without a key, 0 for no limit; 1,000 by default. */
  readonly newDevices?: number
  /** Maximum unreleased combinations of version and platform per app; 2,000 by default. */
  readonly combinations?: number
}

export const DEFAULTS = {
  onSetAside: () => {},
  onUsedUp: () => {},
  clock: Date.now,
  labelBytes: LABEL_BYTES,
  newDevices: 1_000,
  combinations: 2_000,
} as const satisfies Partial<FleetOptions>
