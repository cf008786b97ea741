import { LastUses } from '../catalog/last-uses.ts'
import { SessionLedger } from '../catalog/sessions/session-ledger.ts'
import { lastingOutage } from '../hosting/bucket/bucket-failure.ts'
import { openTls } from '../http/listener/listening.ts'
import { FailureLog } from '../http/request/failure-log.ts'
import { TokenBuckets } from '../limits/token-buckets.ts'
import { openBackups } from './backup-part.ts'
import { openCore } from './core-part.ts'
import { openFleet } from './fleet-part.ts'
import type { HostingPart, HostingParts } from './hosting-part.ts'
import { openPlans } from './plans-part.ts'
import { openProving } from './proving-part.ts'
import type { ServerParts, Wiring } from './running-server.ts'

const MIB = 1_024 * 1_024
const HOUR = 3_600_000

/** What the parts of a server come from. */
export interface Surroundings extends Pick<Wiring, 'config' | 'log' | 'closing'> {
  readonly parts: ServerParts
}

/** The data of a server, and what works on it in the background. */
export type OpenedParts = Awaited<ReturnType<typeof openParts>>

/** Opens the data folder and what works on it. Rejects as `Server.start`. */
export async function openParts({ config, log, parts, closing }: Surroundings) {
  const failed = (what: string) => {
    const failures = new FailureLog(log)
    return (error: unknown) => failures.error(error, what)
  }
  const tls = await openTls(config.tls, log)
  const core = await openCore({ config, log, parts, closing, failed })
  const { storage, catalog } = core
  const wiring = { config, storage, catalog, log, closing, failed }
  const { clock = Date.now, newId = () => catalog.newId(), disk, restoreHost } = parts
  const { fleet, jobs } = await openFleet({ ...wiring, disk })
  const keyUses = new LastUses<number>(
    (uses) => storage.catalog.recordKeyUse(uses.map(({ id: keyId, at }) => ({ keyId, at }))),
    failed('could not record key usage'),
  )
  const keyUsage = { note: (keyId: number) => keyUses.note(keyId, catalog.now()) }
  closing.add(() => keyUses.stop())
  const sessions = new SessionLedger(storage.catalog, failed('could not store sessions'))
  closing.add(() => sessions.stop())
  const sessionBudget = new TokenBuckets({
    ...{ capacity: config.budgets.sessions, period: HOUR, sharers: storage.nodes },
  })
  const minFreeBytes = config.budgets.minFreeDiskMiB * MIB
  const files = { clock, disk, reserve: minFreeBytes }
  const hosting = await hostingOf({ ...wiring, ...files })
  const stored = { hosting: hosting?.files }
  const backupWork = await openBackups({ ...wiring, ...files, ...stored, restoreHost })
  const proving = openProving({ ...wiring, ...stored })
  const plans = openPlans({ ...wiring, fleet })
  return {
    ...core,
    ...{ wiring, clock, newId, disk, minFreeBytes, fleet, jobs, keyUsage },
    ...{ hosting, backupWork, proving, plans, tls, sessions, sessionBudget },
    bucketOutage: () => lastingOutage(hosting?.files.outage ?? null, clock()),
    /** For whoever says how the server is. */
    state: {
      databaseTrouble: () => storage.trouble,
      certificate: () => tls?.files.state ?? null,
    },
  }
}

/** Undefined if the server keeps no files: it then does not load what that takes. */
async function hostingOf(parts: HostingParts): Promise<HostingPart | undefined> {
  const { hosting } = parts.config
  if (hosting === undefined) return undefined
  const { openHosting } = await import('./hosting-part.ts')
  return await openHosting(parts, hosting)
}
