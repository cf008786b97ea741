import type { z } from 'zod'
import type {
  AnyDevice,
  DecisionInput,
  DecisionResult,
  DeviceRecord,
  FleetCounts,
} from '../../../shared/console/command-line.ts'
import { Refusal } from '../../catalog/errors.ts'
import { presenceOf } from '../../use-cases/fleet/presence.ts'
import { findApp } from '../../use-cases/principal.ts'
import type { CommandContext } from '../command-context.ts'

/** Returns what is recorded of a device. Throws `unknown` (app, device). */
export async function showDevice(
  { catalog, fleet, principal }: CommandContext,
  { app: named, deviceId }: z.output<typeof AnyDevice>,
): Promise<DeviceRecord> {
  const snapshot = await catalog.refresh()
  const { key, ref } = findApp(snapshot, principal, named, 'viewer').record
  const found = await fleet.device(key, deviceId)
  if (found === undefined) throw new Refusal({ code: 'unknown_device', app: ref, deviceId })
  const { profile, labels, firstSeen, lastSeen } = found
  const { version, platform, arch } = profile
  return {
    app: ref,
    deviceId,
    channel: snapshot.channelByKey.get(profile.channelKey)?.record.name ?? null,
    ...{ version, platform, arch, labels: { ...labels } },
    firstSeen: new Date(firstSeen).toISOString(),
    lastSeen: new Date(lastSeen).toISOString(),
  }
}

/** Decides as an update check would, and changes nothing. Throws `unknown` (app, channel). */
export async function explainDecision(
  { updates, principal }: CommandContext,
  query: z.output<typeof DecisionInput>,
): Promise<DecisionResult> {
  const result = await updates.explainDevice(principal, query)
  if ('lacks' in result) {
    return { kind: 'incomplete', lacks: result.lacks === 'version' ? 'version' : 'device' }
  }
  const { device, facts, explained } = result
  // A report may leave out both.
  if (facts.platform === '' || facts.arch === '') {
    return { kind: 'incomplete', lacks: device === undefined ? 'device' : 'system' }
  }
  const { update, ...explanation } = explained
  const labels = { ...facts.labels }
  return { kind: 'explained', known: device !== undefined, labels, explanation, update }
}

/** Counts the devices and check-ins of an app. Throws `unknown` (app). */
export async function countFleet(
  { catalog, fleet, principal }: CommandContext,
  { app: named }: { readonly app: string },
): Promise<FleetCounts> {
  const { key, ref } = findApp(await catalog.refresh(), principal, named, 'viewer').record
  const start = performance.now()
  const { summary } = await presenceOf({ catalog, fleet }, key)
  const queryMs = Math.round((performance.now() - start) * 1_000) / 1_000
  const channels = summary.channels.map(({ versions, ...channel }) => {
    return { ...channel, versions: [...versions] }
  })
  return { app: ref, ...summary, channels, queryMs }
}
