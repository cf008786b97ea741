import { z } from 'zod'
import {
  Dashboard,
  DashboardInput,
  FleetScope,
  VersionColors,
} from '../../../shared/console/fleet.ts'
import { AppRef } from '../../../shared/names.ts'
import { requireChannel } from '../../catalog/catalog.ts'
import type { CatalogApp } from '../../catalog/snapshot.ts'
import { findApp } from '../../use-cases/principal.ts'
import { procedure, router } from '../trpc.ts'
import { dashboardOf } from './fleet-dashboard.ts'
import { liveBatches } from './fleet-live.ts'
import { type Publication, versionColors } from './version-colors.ts'

/** The fleet's screen: who runs what, and check-ins as they happen. */
export const fleetRoutes = router({
  dashboard: procedure
    .input(DashboardInput)
    .output(Dashboard)
    .query(({ ctx, input }) => dashboardOf(ctx, input, ctx.catalog.now())),

  colors: procedure
    .input(z.strictObject({ app: AppRef }))
    .output(VersionColors)
    .query(({ ctx, input }) => {
      const app = findApp(ctx.catalog.snapshot, ctx.principal, input.app, 'viewer')
      return Object.fromEntries(versionColors(publicationsOf(app)))
    }),

  live: procedure.input(FleetScope).subscription(({ ctx, input, signal }) => {
    const app = findApp(ctx.catalog.snapshot, ctx.principal, input.app, 'viewer')
    if (input.channel !== undefined) requireChannel(app, input.channel)
    const nameOf = (channelKey: number) => {
      // Looked up with every check-in: a channel may be created while someone watches.
      const { record } = ctx.catalog.snapshot.channelByKey.get(channelKey) ?? {}
      if (record === undefined || record.appKey !== app.record.key) return undefined
      return input.channel === undefined || input.channel === record.name ? record.name : undefined
    }
    return liveBatches(ctx.fleet.feed, nameOf, signal)
  }),
})

function publicationsOf(app: CatalogApp): Publication[] {
  return [...app.channels.values()].flatMap(({ record, compiled }) =>
    compiled.releases.map(({ facts }) => ({
      channel: record.name,
      version: facts.version,
      at: facts.createdAt,
    })),
  )
}
