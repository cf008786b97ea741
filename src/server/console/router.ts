import { ServerAbout, ServerStatus } from '../../shared/console/status.ts'
import { includesRole } from '../../shared/role.ts'
import { VERSION } from '../version.ts'
import { changeRequestRoutes } from './approvals/approvals.ts'
import { appRoutes, channelRoutes } from './apps/apps.ts'
import { auditRoutes } from './audit/audit.ts'
import { commandLineRoutes } from './command-line/command-line.ts'
import { deviceRoutes } from './devices/devices.ts'
import { draftRoutes } from './drafts/drafts.ts'
import { fileRoutes } from './files/files.ts'
import { fleetRoutes } from './fleet/fleet.ts'
import { keyRoutes } from './keys/keys.ts'
import { nodeRoutes } from './nodes/nodes.ts'
import { overviewRoutes } from './overview/overview.ts'
import { peopleRoutes } from './people/people.ts'
import { planRoutes } from './plans/plans.ts'
import { releaseRoutes } from './releases/releases.ts'
import { searchRoutes } from './search/search.ts'
import { sessionRoutes } from './session/session.ts'
import { backupRoutes } from './settings/backups.ts'
import { procedure, router } from './trpc.ts'
import { webhookRoutes } from './webhooks/webhooks.ts'

export { toCallError } from './errors.ts'

/**
 * Does not query the database: what is shown on every screen must work without it. Of the server itself only those
 * hear who have a role on it.
 */
const statusRoutes = router({
  get: procedure.output(ServerStatus).query(({ ctx }) => {
    if (ctx.principal.access.server === null) return { database: null, certificate: null }
    return { database: ctx.databaseTrouble(), certificate: ctx.certificate() }
  }),

  /** The program that answers. */
  about: procedure.output(ServerAbout).query(({ ctx: { dataFolder, principal } }) => ({
    version: VERSION,
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    dataFolder: includesRole(principal.access.server, 'administrator') ? dataFolder : null,
  })),
})

/** All that the console can ask of the server; one file a screen. */
export const consoleRouter = router({
  overview: overviewRoutes,
  fleet: fleetRoutes,
  files: fileRoutes,
  releases: releaseRoutes,
  plans: planRoutes,
  drafts: draftRoutes,
  devices: deviceRoutes,
  apps: appRoutes,
  channels: channelRoutes,
  keys: keyRoutes,
  changeRequests: changeRequestRoutes,
  people: peopleRoutes,
  audit: auditRoutes,
  backups: backupRoutes,
  webhooks: webhookRoutes,
  nodes: nodeRoutes,
  search: searchRoutes,
  events: router({
    /** Reports that something on the server has changed, not what: every role may know. */
    changes: procedure.subscription(({ ctx, signal }) => ctx.changes.follow(signal)),
  }),
  session: sessionRoutes,
  commandLine: commandLineRoutes,
  status: statusRoutes,
})

export type AppRouter = typeof consoleRouter
