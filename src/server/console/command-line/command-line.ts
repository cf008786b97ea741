import { z } from 'zod'
import {
  AnyDevice,
  AnyRelease,
  DecisionInput,
  DecisionResult,
  DeviceRecord,
  FleetCounts,
  ReleasesInput,
} from '../../../shared/console/command-line.ts'
import { AppRefOrId } from '../../../shared/names.ts'
import { Adoption } from '../../../shared/releases/adoption.ts'
import { Release } from '../../../shared/releases/release.ts'
import { ReleaseListAnswer } from '../../../shared/releases/release-list.ts'
import { Refusal } from '../../catalog/errors.ts'
import { showRelease } from '../../catalog/releases/show-release.ts'
import { presenceOf } from '../../use-cases/fleet/presence.ts'
import { findApp } from '../../use-cases/principal.ts'
import { type CommandContext, commandProcedure, commandRouterOf } from '../command-context.ts'
import { channelName } from '../devices/device-list.ts'
import { by, byUseCase } from '../trpc.ts'

/** What the command line shows in another form than the screens do. */
export const commandLineRoutes = commandRouterOf({
  releases: commandProcedure
    .input(ReleasesInput)
    .output(ReleaseListAnswer)
    .query(async ({ ctx: { updates, principal }, input }) => {
      const { releases, page, pageCount, total } = await updates.listReleases(principal, input)
      const shown = releases.map(({ channel, release }) => showRelease(channel, release))
      return { releases: shown, page, pageCount, total }
    }),

  release: commandProcedure.input(AnyRelease).output(Release).query(byUseCase('getRelease')),

  adoption: commandProcedure.input(AnyRelease).output(Adoption).query(byUseCase('showAdoption')),

  device: commandProcedure.input(AnyDevice).output(DeviceRecord).query(by(showDevice)),

  explain: commandProcedure.input(DecisionInput).output(DecisionResult).query(by(explainDecision)),

  fleet: commandProcedure
    .input(z.strictObject({ app: AppRefOrId }))
    .output(FleetCounts)
    .query(by(countFleet)),
})

/** Returns what is recorded of a device. Throws `unknown` (app, device). */
async function showDevice(
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
    channel: channelName(snapshot, profile.channelKey),
    ...{ version, platform, arch, labels: { ...labels } },
    firstSeen: new Date(firstSeen).toISOString(),
    lastSeen: new Date(lastSeen).toISOString(),
  }
}

/** Decides as an update check would, and changes nothing. Throws `unknown` (app, channel). */
async function explainDecision(
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
async function countFleet(
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
