import { includesRole } from '../../shared/access/role.ts'
import {
  type ConsoleNode,
  NodesView,
  ServerAbout,
  ServerStatus,
  SettingsInUse,
} from '../../shared/console/settings/status.ts'
import type { NodeInfo } from '../runtime/cluster/nodes.ts'
import { VERSION } from '../runtime/version.ts'
import { requireServerRole } from '../use-cases/access.ts'
import { appRoutes, channelRoutes } from './apps/apps.ts'
import { keyRoutes } from './apps/keys.ts'
import { webhookRoutes } from './apps/webhooks.ts'
import { auditRoutes } from './audit/audit.ts'
import { commandLineRoutes } from './command-line/command-line.ts'
import { deviceRoutes } from './devices/devices.ts'
import { searchRoutes } from './devices/search.ts'
import { fleetRoutes } from './fleet/fleet.ts'
import { overviewRoutes } from './overview/overview.ts'
import { peopleRoutes } from './people/people.ts'
import { sessionRoutes } from './people/session.ts'
import { changeRequestRoutes } from './releases/approvals.ts'
import { draftRoutes } from './releases/drafts.ts'
import { fileRoutes } from './releases/files.ts'
import { planRoutes } from './releases/plans.ts'
import { releaseRoutes } from './releases/releases.ts'
import { backupRoutes } from './settings/backups.ts'
import { procedure, router } from './trpc.ts'

/** The nodes on the settings screen. */
const nodeRoutes = router({
  /** Null if the storage is one that only one process serves from. Does not query the database. */
  list: procedure.output(NodesView.nullable()).query(({ ctx: { nodes, principal } }) => {
    requireServerRole(principal.access, 'viewer')
    if (nodes === undefined) return null
    const { nodes: listed, ...answer } = nodes.list()
    return { ...answer, nodes: listed.map(showNode) }
  }),
})

function showNode({ startedAt, behind, leads, state, ...node }: NodeInfo): ConsoleNode {
  const { checkInRate, queued, lost, memory, delay, files } = state
  return {
    ...node,
    ...{ checkInRate, queued, lost, memory, delay, files },
    startedAt: startedAt.toISOString(),
    behind: behind.catalog + behind.people,
    leads: [...leads],
  }
}

export { toCallError } from './errors.ts'

/** Does not query the database: every screen shows it, and must work without. The server's own state needs a role on it. */
const statusRoutes = router({
  get: procedure.output(ServerStatus).query(({ ctx }) => {
    if (ctx.principal.access.server === null) return { database: null, certificate: null }
    return { database: ctx.databaseTrouble(), certificate: ctx.certificate() }
  }),

  /** For administrators of the server: some of it says what it can stand. */
  settings: procedure.output(SettingsInUse).query(({ ctx: { settings, principal } }) => {
    requireServerRole(principal.access, 'administrator')
    return settings
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
