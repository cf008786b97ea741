import { ServerStatus } from '../../shared/console/status.ts'
import { appRoutes, channelRoutes } from './apps/apps.ts'
import { auditRoutes } from './audit/audit.ts'
import { procedure, router } from './context.ts'
import { deviceRoutes } from './devices/devices.ts'
import { fleetRoutes } from './fleet/fleet.ts'
import { keyRoutes } from './keys/keys.ts'
import { overviewRoutes } from './overview/overview.ts'
import { releaseRoutes } from './releases/releases.ts'
import { searchRoutes } from './search/search.ts'
import { backupRoutes } from './settings/backups.ts'

export { toCallError } from './errors.ts'

/** Does not query the database: what is shown on every screen must work without it. */
const statusRoutes = router({
  get: procedure.output(ServerStatus).query(({ ctx }) => ({
    database: ctx.databaseTrouble(),
    certificate: ctx.certificate(),
  })),
})

/** All that the console can ask of the server; one file a screen. */
export const consoleRouter = router({
  overview: overviewRoutes,
  fleet: fleetRoutes,
  releases: releaseRoutes,
  devices: deviceRoutes,
  apps: appRoutes,
  channels: channelRoutes,
  keys: keyRoutes,
  audit: auditRoutes,
  backups: backupRoutes,
  search: searchRoutes,
  events: router({
    /** Reports that what the page shows has changed. */
    changes: procedure.subscription(({ ctx, signal }) => ctx.changes.follow(signal)),
  }),
  status: statusRoutes,
})

export type AppRouter = typeof consoleRouter
