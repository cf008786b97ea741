import type { z } from 'zod'
import type { DecisionItem, DecisionsBody } from '../../../shared/devices/fleet.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import type { ReleaseRecord } from '../../catalog/records.ts'
import type { FleetFacts } from '../../fleet/check-in.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { ProfileClaim } from '../../fleet/profile-claim.ts'
import { needsLabels, readsLabels } from '../../rules/decision/candidates.ts'
import { type Decision, decide } from '../../rules/decision/decide.ts'
import { type ParsedVersion, parseVersion } from '../../rules/decision/version.ts'
import { findChannel, type Principal } from '../principal.ts'
import { type ItemLabels, labelDeltasOf, NO_ITEM_LABELS, readItemLabels } from './item-labels.ts'
import type { Offers, Plan } from './offers.ts'

export interface PlannedDevice extends Pick<ItemLabels, 'changed'> {
  readonly item: DecisionItem
  readonly version: ParsedVersion
  readonly decision: Decision<ReleaseRecord>
}

/** The decisions for the devices of a call, in their order. */
export interface Wave extends Plan {
  readonly planned: readonly PlannedDevice[]
}

export interface WaveParts {
  readonly catalog: Catalog
  readonly fleet: Fleet
  readonly offers: Offers
}

/**
 * Decides for each device as its update check would (docs/api.md, "Plan an update wave"). Unless it is a
 * dry run, the devices are recorded as checked in and what they are offered counts as offered; it resolves
 * once that is committed.
 *
 * Needs the role `release_manager`, for a dry run `viewer`. Throws `unknown` (app, channel), `forbidden`, `invalid` (more labels than a device can hold), `NotStored` and
 * `Unavailable`.
 */
export async function planWave(
  parts: WaveParts,
  principal: Principal,
  input: z.output<typeof DecisionsBody>,
): Promise<Wave> {
  const { catalog, fleet, offers } = parts
  const decideAll = () => plan(parts, principal, input)
  const wave = await offers.settle(decideAll)
  if (input.dryRun) return wave
  await fleet.commit(factsOf(wave, input, catalog.now()))
  // A release that was rolled back while telemetry was written is no longer offered.
  return offers.isCurrent(wave) ? wave : await offers.settle(decideAll)
}

async function plan(
  { catalog, fleet }: WaveParts,
  principal: Principal,
  input: z.output<typeof DecisionsBody>,
): Promise<Wave> {
  const channel = findChannel(
    await catalog.refresh(),
    principal,
    input,
    input.dryRun ? 'viewer' : 'release_manager',
  )
  const { compiled } = channel
  const { devices, dryRun } = input
  const labels = await readItemLabels(
    fleet,
    channel.app.key,
    devices,
    (item) => readsLabels(compiled) && needsLabels(compiled, parseVersion(item.version)),
  )
  const planned = devices.map((item, index): PlannedDevice => {
    const known = labels[index] ?? NO_ITEM_LABELS
    const { deviceId, platform, arch, bundle = '', os } = item
    const version = parseVersion(item.version)
    const named = { deviceId, version, platform, arch, bundle, system: os || undefined }
    const facts = { ...named, labels: known.labels, manual: false }
    return { item, version, changed: known.changed, decision: decide(compiled, facts) }
  })
  return { channel, planned, offered: dryRun ? [] : offeredBy(planned) }
}

function factsOf(
  { channel: { app, record }, planned }: Wave,
  { devices }: z.output<typeof DecisionsBody>,
  at: number,
): FleetFacts {
  const appKey = app.key
  return {
    checkIns: planned.map(({ item, decision: { reason, release } }) => {
      const { deviceId, version, platform, arch } = item
      const profile = new ProfileClaim(record.key, version, platform, arch)
      return { appKey, deviceId, profile, at, source: 'decision', reason, offered: release?.facts }
    }),
    reports: [],
    labelDeltas: labelDeltasOf(appKey, at, devices, planned),
  }
}

function offeredBy(planned: readonly PlannedDevice[]): ReadonlySet<ReleaseRecord> {
  const offered = new Set<ReleaseRecord>()
  for (const { decision } of planned) {
    if (decision.release !== null) offered.add(decision.release.facts)
  }
  return offered
}
