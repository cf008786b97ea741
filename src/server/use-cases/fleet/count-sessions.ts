import type { SessionCounts } from '../../../shared/health/health-states.ts'
import { readVersion } from '../../../shared/releases/version.ts'
import { type Catalog, findServed, releaseOn, requireApp } from '../../catalog/catalog.ts'
import type { SessionLedger } from '../../catalog/sessions/session-ledger.ts'
import type { CatalogApp } from '../../catalog/snapshot.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { networkNumber } from '../../fleet/health/weight.ts'
import type { TokenBuckets } from '../../runtime/limits/token-buckets.ts'

/** Sessions of one release, as an app reports them without a key. */
export interface ReportedSessions {
  /** The name of the release at the app: a version, also after `name@`. */
  readonly release: string
  /** What the app calls the device or its user; null if it does not say. */
  readonly device: string | null
  readonly counts: SessionCounts
}

export interface SessionParts {
  readonly catalog: Catalog
  readonly fleet: Pick<Fleet, 'budgets'>
  readonly sessions: SessionLedger
  /** Sessions that an address may add. */
  readonly sessionBudget: TokenBuckets
}

export interface SessionsTask {
  readonly app: string
  readonly sessions: readonly ReportedSessions[]
  /** Address key of the caller. */
  readonly caller: string
}

/** What became of reported sessions: how many were counted, and how many not. */
export interface SessionsResult {
  /** The `ref` of the app. */
  readonly app: string
  readonly counted: number
  readonly unknownRelease: number
  readonly overLimit: number
  /** The name of a release that the app does not have; null if there was none. */
  readonly release: string | null
}

/** Counts sessions for the app's releases of that version, as far as the budget of the address goes. Throws `unknown` (app). */
export async function countSessions(
  { catalog, fleet, sessions: ledger, sessionBudget }: SessionParts,
  { app: named, sessions, caller }: SessionsTask,
): Promise<SessionsResult> {
  const app = await findServed(catalog, (snapshot) => requireApp(snapshot, named))
  const network = networkNumber(caller)
  let [counted, unknownRelease, overLimit] = [0, 0, 0]
  let release: string | null = null
  for (const { release: name, device, counts } of sessions) {
    const size = sizeOf(counts)
    const releases = releasesOf(app, name)
    // A budget of sessions limits nothing that has none, such as devices by the thousand.
    if (size === 0) continue
    if (releases.length === 0) {
      unknownRelease += size
      release ??= name
    } else if (sessionBudget.takeAll(caller, size)) {
      counted += size
      for (const id of releases) {
        ledger.add(id, network, counts)
        if (device !== null) ledger.addDevice(id, device, counts.crashed > 0)
      }
    } else {
      overLimit += size
      fleet.budgets.usedUp('sessions')
    }
  }
  return { app: app.record.ref, counted, unknownRelease, overLimit, release }
}

/** Ends of sessions, or those that have only started. */
function sizeOf({ started, healthy, errored, crashed, abnormal }: SessionCounts): number {
  return Math.max(started, healthy + errored + crashed + abnormal)
}

/** Of `editor@1.2.3+4`, the releases 1.2.3+4, or if there are none, 1.2.3. */
function releasesOf({ channels }: CatalogApp, name: string): string[] {
  const read = readVersion(name.slice(name.lastIndexOf('@') + 1))
  if (!read.ok) return []
  const { text } = read.version
  const [plain = text] = text.split('+')
  const of = (version: string) =>
    [...channels.values()].flatMap((channel) => releaseOn(channel, version)?.facts.id ?? [])
  const exact = of(text)
  return exact.length > 0 || plain === text ? exact : of(plain)
}
