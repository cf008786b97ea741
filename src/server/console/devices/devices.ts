import type { z } from 'zod'
import {
  DeviceCheckIns,
  DeviceCheckInsInput,
  DeviceDetail,
  DeviceFilterInput,
  DeviceListInput,
  DeviceListPage,
  DevicePlace,
  DeviceTimeline,
  ExplainInput,
  Explanation,
} from '../../../shared/console/devices.ts'
import { AppRefOrId } from '../../../shared/names.ts'
import { Refusal } from '../../catalog/errors.ts'
import { timelineOf } from '../../fleet/health/timeline.ts'
import { commandProcedure } from '../command-context.ts'
import type { ConsoleContext } from '../context.ts'
import { by } from '../resolvers.ts'
import { procedure, router } from '../trpc.ts'
import { deviceCheckIns, deviceDetail, findDevice, timestamp } from './device-detail.ts'
import { exportDevices } from './device-export.ts'
import { channelName, deviceListPage } from './device-list.ts'

/** Most candidates that are shown. */
const MAX_CANDIDATES = 100

/**
 * Returns the update decision for a recorded device and the reasons, optionally as if it were on another channel or version,
 * asked with an updater, named a kind of bundle or a system, or a person asked. Has no effect on the device. Throws the
 * refusals `unknown`, `version_needed` and `invalid`.
 */
async function explainDevice(
  { catalog, updates, principal }: ConsoleContext,
  { app, deviceId, channel, client, ...assumed }: z.output<typeof ExplainInput>,
): Promise<Explanation> {
  const query = { app, deviceId, channel, client, assumed }
  const result = await updates.explainDevice(principal, query)
  if ('lacks' in result && result.lacks === 'version') {
    throw new Refusal({ code: 'version_needed', deviceId })
  }
  if ('lacks' in result || result.device === undefined) {
    throw new Refusal({ code: 'unknown_device', app, deviceId })
  }
  const { profile } = result.device
  const { update: _update, candidates, ...explained } = result.explained
  const own = channelName(catalog.snapshot, profile.channelKey)
  return {
    ...explained,
    assumed:
      explained.channel !== own ||
      explained.version !== profile.version ||
      explained.bundle !== '' ||
      client !== undefined ||
      assumed.system !== undefined ||
      result.facts.manual,
    candidates: candidates.slice(0, MAX_CANDIDATES),
    moreCandidates: Math.max(0, candidates.length - MAX_CANDIDATES),
  }
}

/** Check-ins that are looked at: three weeks of a device that checks in every hour. */
const LOOKED_AT = 500

/** Returns what happened to a device with releases, newest first. Throws the refusal `unknown`. */
async function deviceTimeline(ctx: ConsoleContext, place: DevicePlace): Promise<DeviceTimeline> {
  const { name } = await findDevice(ctx, place)
  const checkIns = await ctx.fleet.checkIns(name, undefined, LOOKED_AT)
  const oldest = checkIns.at(-1)
  return {
    events: timelineOf(checkIns).map(({ at, ...event }) => ({ at: timestamp(at), ...event })),
    since: oldest === undefined ? null : timestamp(oldest.at),
  }
}

/** The screens of the devices. */
export const deviceRoutes = router({
  list: procedure.input(DeviceListInput).output(DeviceListPage).query(by(deviceListPage)),

  get: procedure.input(DevicePlace).output(DeviceDetail).query(by(deviceDetail)),

  checkIns: procedure.input(DeviceCheckInsInput).output(DeviceCheckIns).query(by(deviceCheckIns)),

  timeline: procedure.input(DevicePlace).output(DeviceTimeline).query(by(deviceTimeline)),

  explain: procedure.input(ExplainInput).output(Explanation).query(by(explainDevice)),

  export: procedure
    .input(DeviceFilterInput)
    .subscription(({ ctx, input, signal }) =>
      ctx.exports.follow(ctx.principal, signal, () => exportDevices(ctx, input, signal)),
    ),

  forget: commandProcedure
    .input(DevicePlace.extend({ app: AppRefOrId }))
    .output(DevicePlace)
    .mutation(async ({ ctx: { updates, principal }, input }) => {
      const { ref } = await updates.forgetDevice(principal, input)
      return { app: ref, deviceId: input.deviceId }
    }),
})
