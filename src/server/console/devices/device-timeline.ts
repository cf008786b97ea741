import type { DevicePlace, DeviceTimeline } from '../../../shared/console/devices.ts'
import { timelineOf } from '../../fleet/health/timeline.ts'
import type { ConsoleContext } from '../context.ts'
import { findDevice } from './device-detail.ts'

/** Check-ins that are looked at: three weeks of a device that checks in every hour. */
const LOOKED_AT = 500

/** Returns what happened to a device with releases, newest first. Throws the refusal `unknown`. */
export async function deviceTimeline(
  ctx: ConsoleContext,
  place: DevicePlace,
): Promise<DeviceTimeline> {
  const { name } = await findDevice(ctx, place)
  const checkIns = await ctx.fleet.checkIns(name, undefined, LOOKED_AT)
  const oldest = checkIns.at(-1)
  return {
    events: timelineOf(checkIns).map(({ at, ...event }) => ({ at: timestamp(at), ...event })),
    since: oldest === undefined ? null : timestamp(oldest.at),
  }
}

function timestamp(at: number): string {
  return new Date(at).toISOString()
}
