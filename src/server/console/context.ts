import type { CertificateState } from '../../shared/certificate.ts'
import type { DatabaseTrouble } from '../../shared/database-file.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { StoredTelemetry } from '../cluster/all-nodes.ts'
import type { Nodes } from '../cluster/nodes.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { BucketOutage } from '../hosting/bucket/outage.ts'
import type { People } from '../people/people.ts'
import type { Contact } from '../use-cases/contact.ts'
import type { FailingRelease } from '../use-cases/plans/failure-watch.ts'
import type { Principal } from '../use-cases/principal.ts'
import type { Updates } from '../use-cases/updates.ts'
import { AuditCounts } from './audit/audit-counts.ts'
import { Changes } from './changes.ts'
import type { CommandContext } from './command-context.ts'
import { RecentDeviceCounts } from './fleet/recent-devices.ts'
import type { CallerSession } from './reach.ts'
import { SharedWork } from './shared-work.ts'

/** Exports that are made, and searches that are done, at the same time. */
const [MAX_EXPORTS, MAX_SEARCHES] = [2, 4]

/** The parts of a running server that the console uses. */
export interface ConsoleParts {
  /** The server's own address, as it listens. */
  readonly address: string
  /** Of the console for browsers; null if it is offered to nobody. */
  readonly consoleAddress: string | null
  readonly updates: Updates
  readonly contact: Contact
  readonly catalog: Catalog
  readonly fleet: Fleet
  readonly people: Pick<People, 'revision'>
  /** How the check-ins of all nodes are stored. */
  readonly telemetryOfAll: () => StoredTelemetry
  /** Whether artifacts cannot be proven at all, or what is found cannot be recorded. */
  readonly provingFailed: () => boolean
  /** Whether a plan could not be advanced. */
  readonly plansFailed: () => boolean
  /** Why the bucket for stored files cannot be used for a while; null if it can, and without one. */
  readonly bucketOutage: () => BucketOutage | null
  /** Live releases that failed on too many devices, of those that no running plan is responsible for. */
  readonly failingReleases: () => Promise<readonly FailingRelease[]>
  /** Days that check-ins are kept; 0 means forever. */
  readonly keepCheckInDays: number
  /** Whether files can be uploaded to the server. */
  readonly storesFiles: boolean
  /** Absolute path. */
  readonly dataFolder: string
  /** What happened to the database's files since the start, null if they are in place. */
  readonly databaseTrouble: () => DatabaseTrouble | null
  /** The nodes that serve with this one; undefined if there is one process. */
  readonly nodes?: Nodes | undefined
  /** The certificate that the server answers with; null without TLS. */
  readonly certificate: () => CertificateState | null
}

/** What the procedures of all callers share. One for each server that runs. */
export interface SharedConsoleContext extends ConsoleParts {
  readonly changes: Changes
  readonly auditCounts: AuditCounts
  readonly recentDevices: RecentDeviceCounts
  readonly exports: SharedWork
  readonly searches: SharedWork
}

/** What the console's procedures work with. */
export interface ConsoleContext extends SharedConsoleContext, CommandContext {
  readonly updates: Updates
  readonly contact: Contact
  readonly fleet: Fleet
}

/** Creates what all callers of a running server share. It holds nothing that must be closed. */
export function createConsoleContext(parts: ConsoleParts): SharedConsoleContext {
  const { catalog, fleet, people } = parts
  return {
    ...parts,
    changes: new Changes({
      catalog: () => catalog.snapshot.revision,
      fleet: () => fleet.feed.sequence,
      people: () => people.revision,
    }),
    auditCounts: new AuditCounts(catalog.store),
    exports: new SharedWork({ total: MAX_EXPORTS }),
    searches: new SharedWork({ total: MAX_SEARCHES }),
    recentDevices: new RecentDeviceCounts({
      count: () => fleet.activeDevices(catalog.now()),
      sequence: () => fleet.feed.sequence,
    }),
  }
}

/** Returns the context of a caller, with the session that the call comes with. Costs nothing, so that every request may have its own. */
export function forPrincipal(
  shared: SharedConsoleContext,
  principal: Principal,
  session: CallerSession | null = null,
): ConsoleContext {
  return { ...shared, principal, session }
}
