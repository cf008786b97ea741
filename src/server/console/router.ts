import { appRoutes, channelRoutes } from './apps/apps.ts'
import { auditRoutes } from './audit/audit.ts'
import { deviceRoutes } from './devices/devices.ts'
import { fleetRoutes } from './fleet/fleet.ts'
import { keyRoutes } from './keys/keys.ts'
import { overviewRoutes } from './overview/overview.ts'
import { releaseRoutes } from './releases/releases.ts'
import { backupRoutes } from './settings/backups.ts'
import { statusRoutes } from './settings/status.ts'
import { procedure, router } from './trpc.ts'

export { toCallError } from './errors.ts'

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
  events: router({
    /** Tells the page that what it shows has changed. */
    changes: procedure.subscription(({ ctx, signal }) => ctx.changes.follow(signal)),
  }),
  status: statusRoutes,
})

export type AppRouter = typeof consoleRouter
