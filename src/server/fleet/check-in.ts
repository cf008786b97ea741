import type { Outcome } from '../../shared/health/health.ts'
import type { DecisionReason } from '../../shared/releases/manifest.ts'
import type { DeviceName, OfferedRelease, Source } from './facts.ts'
import type { LabelDelta } from './labels.ts'
import type { ProfileClaim } from './profile-claim.ts'

/** A check-in of a device, or of a call on its behalf. */
export interface CheckIn {
  readonly appKey: number
  /** `null`: counted, but no device record is created. */
  readonly deviceId: string | null
  readonly profile: ProfileClaim
  /** Unix time in milliseconds. */
  readonly at: number
  readonly source: Source
  /** Address key of a caller without an API key, to whom budgets apply. */
  readonly caller?: string | undefined
  /** The response; null for a report and an outcome. */
  readonly reason: DecisionReason | null
  /** The release that it was offered, if any. */
  readonly offered?: OfferedRelease | undefined
  /** What the app reported of the release that it was last offered. */
  readonly outcome?: Outcome | undefined
}

/** What an app reports of an update. It counts only for a known device that was last offered that release. */
export interface OutcomeReport extends DeviceName {
  readonly channelKey: number
  readonly releaseId: string
  /** Unix time in milliseconds. */
  readonly at: number
  readonly outcome: Outcome
  /** Empty for none. */
  readonly detail: string
  /** Address key of a caller without an API key, to whom budgets apply. */
  readonly caller?: string | undefined
}

/** What a call reports about a device. Omitted facts stay unchanged. */
export interface DeviceReport extends DeviceName {
  /** Unix time in milliseconds. */
  readonly at: number
  /** Canonical version text. */
  readonly version: string
  /** Lowercase. */
  readonly platform: string | undefined
  readonly arch: string | undefined
  /** The channel of the device if it is not known yet. */
  readonly newOn: number
}

/** A change of a device's labels and its Unix time in milliseconds. */
export interface DeviceLabelDelta extends DeviceName, LabelDelta {
  readonly at: number
}

/** What one call reports about devices. */
export interface FleetFacts {
  /** Oldest first, like the others. */
  readonly checkIns: readonly CheckIn[]
  /** Each counts as a check-in. */
  readonly reports: readonly DeviceReport[]
  /** Applied after these. Those that count are check-ins as well. */
  readonly outcomes?: readonly OutcomeReport[]
  /** For devices that are known or added by this call. */
  readonly labelDeltas: readonly DeviceLabelDelta[]
}

/** Returns whether the check-in was answered with an offer. */
export function isOffer(reason: DecisionReason | null): boolean {
  return reason === 'update' || reason === 'rollback'
}
