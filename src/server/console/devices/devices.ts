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
import { commandProcedure } from '../command-context.ts'
import { procedure, router } from '../trpc.ts'
import { deviceCheckIns, deviceDetail } from './device-detail.ts'
import { explainDevice } from './device-explanation.ts'
import { exportDevices } from './device-export.ts'
import { deviceListPage } from './device-list.ts'
import { deviceTimeline } from './device-timeline.ts'

/** The screens of the devices. */
export const deviceRoutes = router({
  list: procedure
    .input(DeviceListInput)
    .output(DeviceListPage)
    .query(({ ctx, input }) => deviceListPage(ctx, input)),

  get: procedure
    .input(DevicePlace)
    .output(DeviceDetail)
    .query(({ ctx, input }) => deviceDetail(ctx, input)),

  checkIns: procedure
    .input(DeviceCheckInsInput)
    .output(DeviceCheckIns)
    .query(({ ctx, input }) => deviceCheckIns(ctx, input)),

  timeline: procedure
    .input(DevicePlace)
    .output(DeviceTimeline)
    .query(({ ctx, input }) => deviceTimeline(ctx, input)),

  explain: procedure
    .input(ExplainInput)
    .output(Explanation)
    .query(({ ctx, input }) => explainDevice(ctx, input)),

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
