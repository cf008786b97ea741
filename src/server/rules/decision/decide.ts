import { canonicalArch, canonicalPlatform } from '../../../shared/devices/aliases.ts'
import type { Admission, CandidateTrace } from '../../../shared/devices/explanation.ts'
import { isBelowFloor } from '../../../shared/devices/system-version.ts'
import type { DecisionReason } from '../../../shared/releases/manifest.ts'
import type { Artifact } from '../../../shared/releases/release.ts'
import { findArtifact, kindsFor } from './artifacts.ts'
import { candidatesFor } from './candidates.ts'
import {
  type CompiledChannel,
  type CompiledRelease,
  offeredPct,
  type ReleaseFacts,
} from './channel.ts'
import { cohortBucket, inCohort } from './cohort.ts'
import { type DeviceFacts, isTaken, systemOf } from './device.ts'
import { earlyAccessOf } from './early-access.ts'
import { failedCondition, matches } from './targets.ts'

export type { DeviceFacts } from './device.ts'

type OfferReason = Extract<DecisionReason, 'update' | 'rollback'>

/** A release for the device to install. */
export interface Offer<Facts extends ReleaseFacts = ReleaseFacts> {
  readonly reason: OfferReason
  readonly release: CompiledRelease<Facts>
  readonly artifact: Artifact
  /** True if the release is below the device's version, which was rolled back. */
  readonly allowDowngrade: boolean
}

export interface NoOffer {
  readonly reason: Exclude<DecisionReason, OfferReason>
  readonly release: null
}

/** Discriminated by `release`. */
export type Decision<Facts extends ReleaseFacts = ReleaseFacts> = Offer<Facts> | NoOffer

const NO_OFFER: { readonly [Reason in NoOffer['reason']]: NoOffer } = {
  up_to_date: { reason: 'up_to_date', release: null },
  no_release: { reason: 'no_release', release: null },
  not_targeted: { reason: 'not_targeted', release: null },
  outside_cohort: { reason: 'outside_cohort', release: null },
  no_artifact: { reason: 'no_artifact', release: null },
  system_too_old: { reason: 'system_too_old', release: null },
}

/**
 * Decides which release of a channel a device is offered. Nothing else decides.
 *
 * The candidates are tried newest first; the first with an artifact for the device that runs on the system it states,
 * targets that mean it and a cohort that holds it, or that admits it, is offered. An update that the updater would not
 * take is no candidate. Without an offer the reason is that of the newest candidate. Without a candidate it is
 * `up_to_date`; or `no_release` where the channel has published nothing, or nothing that a device on a rolled-back version
 * could go to.
 *
 * `trace`, where given, receives an entry for each candidate that was tried, and for each update that the updater would not
 * take.
 */
export function decide<Facts extends ReleaseFacts>(
  channel: CompiledChannel<Facts>,
  device: DeviceFacts,
  trace?: CandidateTrace[],
): Decision<Facts> {
  const { published } = channel
  const { bottom, above, top, fromRolledBack } = candidatesFor(channel, device.version)
  if (bottom === top) {
    return fromRolledBack || published.length === 0 ? NO_OFFER.no_release : NO_OFFER.up_to_date
  }
  const platform = canonicalPlatform(device.platform)
  const arch = canonicalArch(device.arch)
  let newest: Obstacle | undefined
  for (let index = top - 1; index >= bottom; index -= 1) {
    const release = published[index]
    if (release === undefined) break
    if (index >= above && !isTaken(device.takes, release.version)) {
      trace?.push(traceNotTaken(device, release))
      continue
    }
    const artifact = findArtifact(release.artifacts, platform, arch, device.bundle)
    const obstacle = obstacleTo(channel, release, artifact, device, platform)
    trace?.push(traceCandidate(channel, release, device, obstacle ?? 'offered', artifact))
    if (artifact !== undefined && obstacle === undefined) {
      const allowDowngrade = index < above
      return { reason: allowDowngrade ? 'rollback' : 'update', release, artifact, allowDowngrade }
    }
    newest ??= obstacle
  }
  return NO_OFFER[newest ?? 'up_to_date']
}

function obstacleTo(
  channel: CompiledChannel,
  release: CompiledRelease,
  artifact: Artifact | undefined,
  device: DeviceFacts,
  platform: string,
): Obstacle | undefined {
  const { facts, targets } = release
  if (artifact === undefined) return 'no_artifact'
  const { minimumSystemVersion: floor } = artifact
  if (floor !== undefined) {
    const system = systemOf(device)
    if (system !== undefined && isBelowFloor(platform, floor, system)) return 'system_too_old'
  }
  if (targets !== null && !matches(targets, device)) return 'not_targeted'
  if (inCohort(facts.id, device.deviceId, offeredPct(facts))) return undefined
  return admissionTo(channel, facts.rolloutPct, device) === null ? 'outside_cohort' : undefined
}

/** Why a candidate was skipped. */
type Obstacle = 'no_artifact' | 'system_too_old' | 'not_targeted' | 'outside_cohort'

/** Returns why a candidate came to its outcome. Decides nothing: the outcome is given. */
function traceCandidate(
  channel: CompiledChannel,
  release: CompiledRelease,
  device: DeviceFacts,
  outcome: Obstacle | 'offered',
  artifact: Artifact | undefined,
): CandidateTrace {
  const version = release.version.text
  switch (outcome) {
    case 'no_artifact': {
      const { platform, arch, bundle } = device
      const names = [canonicalPlatform(platform), canonicalArch(arch)] as const
      const kinds = [...kindsFor(release.artifacts, ...names)]
      return { outcome, version, platform, arch, bundle, kinds }
    }
    case 'system_too_old': {
      const { minimumSystemVersion: floor = '' } = artifact ?? {}
      return { outcome, version, platform: device.platform, floor, system: systemOf(device) ?? '' }
    }
    case 'not_targeted': {
      const condition = release.targets && failedCondition(release.targets, device)
      if (!condition) throw new Error(`the targets of ${version} match, but it was passed over`)
      return { outcome, version, condition }
    }
    case 'outside_cohort':
    case 'offered':
      return { outcome, version, rollout: rolloutOf(channel, release, device) }
  }
}

/** Returns why the updater of a device would not take an update. */
function traceNotTaken({ takes }: DeviceFacts, { version }: CompiledRelease): CandidateTrace {
  const compared = takes?.nameOf(version) ?? ''
  return { outcome: 'not_taken', version: version.text, compared, running: takes?.running ?? '' }
}

function rolloutOf(channel: CompiledChannel, { facts }: CompiledRelease, device: DeviceFacts) {
  const { id, rolloutPct } = facts
  const { deviceId } = device
  const offered = offeredPct(facts)
  const counts = offered < 100 && deviceId !== null
  const isIn = inCohort(id, deviceId, offered)
  return {
    percent: rolloutPct,
    ...(!isIn && inCohort(id, deviceId, rolloutPct) ? { waits: true as const } : {}),
    bucket: counts ? cohortBucket(id, deviceId) : null,
    admission: isIn ? null : admissionTo(channel, rolloutPct, device),
  }
}

/** Returns what lets a device into a rollout of `rolloutPct` percent that its bucket is not in; `null` for nothing, as at 0%. */
export function admissionTo(
  { earlyAccess, policy }: CompiledChannel,
  rolloutPct: number,
  device: DeviceFacts,
): Admission | null {
  if (rolloutPct <= 0) return null
  if (earlyAccessOf(earlyAccess, device) !== null) return 'early_access'
  return device.manual && policy.manualChecks ? 'manual_check' : null
}
