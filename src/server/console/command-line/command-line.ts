import { z } from 'zod'
import { Adoption } from '../../../shared/adoption.ts'
import {
  AnyDevice,
  AnyRelease,
  DecisionInput,
  DecisionResult,
  DeviceRecord,
  FleetCounts,
  ReleasesInput,
} from '../../../shared/console/command-line.ts'
import { ReleaseHealthReport } from '../../../shared/health.ts'
import { AppRefOrId } from '../../../shared/names.ts'
import { Release, ReleaseListAnswer } from '../../../shared/release.ts'
import { showRelease } from '../../catalog/releases/show-release.ts'
import { commandProcedure, commandRouterOf } from '../command-context.ts'
import { countFleet, explainDecision, showDevice } from './device-commands.ts'

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

  release: commandProcedure
    .input(AnyRelease)
    .output(Release)
    .query(({ ctx: { updates, principal }, input }) => updates.getRelease(principal, input)),

  adoption: commandProcedure
    .input(AnyRelease)
    .output(Adoption)
    .query(({ ctx: { updates, principal }, input }) => updates.showAdoption(principal, input)),

  health: commandProcedure
    .input(AnyRelease)
    .output(ReleaseHealthReport)
    .query(({ ctx: { updates, principal }, input }) => updates.showHealth(principal, input)),

  device: commandProcedure
    .input(AnyDevice)
    .output(DeviceRecord)
    .query(({ ctx, input }) => showDevice(ctx, input)),

  explain: commandProcedure
    .input(DecisionInput)
    .output(DecisionResult)
    .query(({ ctx, input }) => explainDecision(ctx, input)),

  fleet: commandProcedure
    .input(z.strictObject({ app: AppRefOrId }))
    .output(FleetCounts)
    .query(({ ctx, input }) => countFleet(ctx, input)),
})
