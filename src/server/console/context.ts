import { accountName } from '../account.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { Actor } from '../catalog/store.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { RunningServer } from '../server.ts'
import type { Principal } from '../updates/principal.ts'
import type { Updates } from '../updates/updates.ts'
import { AuditCounts } from './audit/audit-counts.ts'
import { Changes } from './changes.ts'
import { RecentDeviceCounts } from './fleet/recent-devices.ts'

/** What the console's procedures work with. One for each server that runs. */
export interface ConsoleContext {
  /** The server's own address, as it listens. */
  readonly address: string
  readonly catalog: Catalog
  readonly fleet: Fleet
  readonly removal: RunningServer['removal']
  readonly erasures: RunningServer['erasures']
  /** Days that check-ins are kept, 0 for ever. */
  readonly keepCheckInDays: number
  readonly backups: RunningServer['backups']
  readonly databaseTrouble: RunningServer['databaseTrouble']
  readonly certificate: RunningServer['certificate']
  readonly updates: Updates
  /** Who the console acts as: the account on this machine. It sees everything. */
  readonly principal: Principal
  /** Who changes are noted as made by. */
  readonly actor: Actor
  readonly changes: Changes
  readonly auditCounts: AuditCounts
  readonly recentDevices: RecentDeviceCounts
}

/** Makes the context of a server that runs. It holds nothing that must be closed. */
export function createConsoleContext(running: RunningServer): ConsoleContext {
  const { address, catalog, fleet, removal, erasures, updates } = running
  const { keepCheckInDays, backups, databaseTrouble, certificate } = running
  const actor: Actor = { kind: 'console', name: accountName() }
  const principal: Principal = { actor, appKey: null, seesArchived: true }
  const changes = new Changes({
    catalog: () => catalog.snapshot.revision,
    fleet: () => fleet.feed.sequence,
  })
  const auditCounts = new AuditCounts(catalog.store)
  const recentDevices = new RecentDeviceCounts({
    count: () => fleet.activeDevices(catalog.now()),
    sequence: () => fleet.feed.sequence,
  })
  const parts = { address, catalog, fleet, removal, erasures }
  const kept = { keepCheckInDays, backups, databaseTrouble, certificate }
  return { ...parts, ...kept, updates, principal, actor, changes, auditCounts, recentDevices }
}
