import { initTRPC } from '@trpc/server'
import type { CertificateState } from '../../shared/certificate.ts'
import type { DatabaseTrouble } from '../../shared/database-file.ts'
import { accountName } from '../account.ts'
import type { Backups } from '../backups/backups.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Principal } from '../updates/principal.ts'
import type { Updates } from '../updates/updates.ts'
import { AuditCounts } from './audit/audit-counts.ts'
import { Changes } from './changes.ts'
import { formatCallError } from './errors.ts'
import { RecentDeviceCounts } from './fleet/recent-devices.ts'

/** The parts of a running server that the console uses. */
export interface ConsoleParts {
  /** The server's own address, as it listens. */
  readonly address: string
  readonly updates: Updates
  readonly catalog: Catalog
  readonly fleet: Fleet
  /** Days that check-ins are kept; 0 means forever. */
  readonly keepCheckInDays: number
  readonly backups: Backups
  /** What happened to the database's files since the start, null if they are in place. */
  readonly databaseTrouble: () => DatabaseTrouble | null
  /** The certificate that the server answers with; null without TLS. */
  readonly certificate: () => CertificateState | null
}

/** What the console's procedures work with. One for each server that runs. */
export interface ConsoleContext extends ConsoleParts {
  /** Who the console acts as: the account on this computer. It sees everything. */
  readonly principal: Principal
  /** The session of a person who signed in; null for the desktop app on its own server. */
  readonly sessionId: string | null
  readonly changes: Changes
  readonly auditCounts: AuditCounts
  readonly recentDevices: RecentDeviceCounts
}

/** Creates the context of a running server. It holds nothing that must be closed. */
export function createConsoleContext(parts: ConsoleParts): ConsoleContext {
  const { catalog, fleet } = parts
  const actor = { kind: 'console', name: accountName() } as const
  return {
    ...parts,
    principal: { actor, appKey: null, seesArchived: true },
    sessionId: null,
    changes: new Changes({
      catalog: () => catalog.snapshot.revision,
      fleet: () => fleet.feed.sequence,
    }),
    auditCounts: new AuditCounts(catalog.store),
    recentDevices: new RecentDeviceCounts({
      count: () => fleet.activeDevices(catalog.now()),
      sequence: () => fleet.feed.sequence,
    }),
  }
}

/** Routers and procedures over that context. */
const trpc = initTRPC
  .context<ConsoleContext>()
  .create({ errorFormatter: formatCallError, isDev: false })

export const { router, procedure } = trpc
