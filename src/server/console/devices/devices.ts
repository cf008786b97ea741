import type { z } from 'zod'
import type { ExportPiece } from '../../../shared/console/audit.ts'
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
  MAX_EXPORT_DEVICES,
} from '../../../shared/console/devices.ts'
import { AppRefOrId } from '../../../shared/names.ts'
import { Refusal } from '../../catalog/errors.ts'
import type { ListedDevice } from '../../fleet/device-query.ts'
import { timelineOf } from '../../fleet/health/timeline.ts'
import { commandProcedure } from '../command-context.ts'
import type { ConsoleContext } from '../context.ts'
import { BYTE_ORDER_MARK, csv } from '../csv.ts'
import { by, procedure, router } from '../trpc.ts'
import { deviceCheckIns, deviceDetail, findDevice, timestamp } from './device-detail.ts'
import { channelName, deviceFilter, deviceListPage } from './device-list.ts'

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

/** Devices that are read at once, on the reader thread. */
const SLICE = 1_000

const COLUMNS = [
  'deviceId',
  'channel',
  'version',
  'platform',
  'arch',
  'firstSeen',
  'lastSeen',
  'labels',
]

/**
 * Yields the matching devices as CSV (UTF-8, a header row, in the order of their ids), one piece for each slice that
 * is read. Devices that come or go meanwhile may be left out. Ends when `signal` is aborted. Throws the refusals
 * `unknown`, and `invalid` if there are more than one file holds.
 */
async function* exportDevices(
  ctx: ConsoleContext,
  input: DeviceFilterInput,
  signal: AbortSignal | undefined,
): AsyncGenerator<ExportPiece, void> {
  const { snapshot, filter } = await deviceFilter(ctx, input)
  const showRow = ({ deviceId, profile, firstSeen, lastSeen, labels }: ListedDevice) => [
    deviceId,
    channelName(snapshot, profile.channelKey) ?? '',
    profile.version,
    profile.platform,
    profile.arch,
    new Date(firstSeen).toISOString(),
    new Date(lastSeen).toISOString(),
    Object.keys(labels).length === 0 ? '' : JSON.stringify(labels),
  ]
  let text = BYTE_ORDER_MARK + csv([COLUMNS])
  let done = 0
  let last = ''
  for (;;) {
    if (signal?.aborted === true) return
    const { rows, total, next } = await ctx.fleet.devices({
      ...filter,
      ...{ sort: 'deviceId', descending: false, backward: false, limit: SLICE },
      cursor: last === '' ? undefined : { key: last, device: 0 },
    })
    if (total > MAX_EXPORT_DEVICES) {
      throw new Refusal({ code: 'too_many_devices', devices: total, maximum: MAX_EXPORT_DEVICES })
    }
    // A list begins anew where the last devices are gone.
    const fresh = rows.filter(({ deviceId }) => deviceId > last)
    text += csv(fresh.map(showRow))
    done += fresh.length
    last = fresh.at(-1)?.deviceId ?? last
    const isLast = next === undefined || fresh.length === 0
    yield { text, done, total: isLast ? done : Math.max(total, done) }
    if (isLast) return
    text = ''
  }
}
