import type { DecisionReason } from '../../shared/manifest.ts'
import type { LabelDelta } from './labels.ts'
import type { ProfileClaim } from './profile-claim.ts'

/** Where a heartbeat came from: the device itself, or a fleet call on its behalf. */
export const SOURCES = ['check', 'decision', 'report'] as const
export type Source = (typeof SOURCES)[number]

/** One check-in or report of a device. */
export interface Heartbeat {
  readonly appKey: number
  /** `null`: counted, but no device record is created. */
  readonly deviceId: string | null
  readonly profile: ProfileClaim
  readonly source: Source
  /** Address key of a caller without an API key: then budgets apply. */
  readonly caller?: string | undefined
  /** How it was answered; null for a report. */
  readonly reason: DecisionReason | null
  /** What changes of the device's labels; omitted if nothing does. */
  readonly labels?: LabelDelta | undefined
}

/** Returns whether the check-in was answered with an offer. */
export function isOffer(reason: DecisionReason | null): boolean {
  return reason === 'update' || reason === 'rollback'
}
