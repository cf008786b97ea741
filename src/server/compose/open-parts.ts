import type { ReleaseHealth } from '../../shared/health/health.ts'
import { backupFolderOf } from '../backups/backup-copies.ts'
import { Backups } from '../backups/backups.ts'
import { DownloadTickets } from '../backups/download-tickets.ts'
import { FileBackups } from '../backups/files/file-backups.ts'
import { type RestoreHost, Restores } from '../backups/restores.ts'
import { BackupUploads } from '../backups/uploads.ts'
import { LastUses } from '../catalog/last-uses.ts'
import { SessionLedger } from '../catalog/sessions/session-ledger.ts'
import { lastingOutage } from '../hosting/bucket/bucket-failure.ts'
import { openTls } from '../http/listener/listening.ts'
import { FailureLog } from '../http/request/failure-log.ts'
import type { Control } from '../rules/judging/control.ts'
import type { Observed } from '../rules/judging/counted.ts'
import { whileLeading } from '../runtime/cluster/leadership.ts'
import { TokenBuckets } from '../runtime/limits/token-buckets.ts'
import { VERSION } from '../runtime/version.ts'
import type { StoredFleet } from '../storage/interface/storage.ts'
import type { BackupWork } from '../use-cases/manage/administer-backups.ts'
import { ControlReader } from '../use-cases/plans/control-reader.ts'
import { FailureWatch } from '../use-cases/plans/failure-watch.ts'
import { GateReader } from '../use-cases/plans/gate-reader.ts'
import { holdoutResult } from '../use-cases/plans/holdout-result.ts'
import { PlanJudge } from '../use-cases/plans/plan-judge.ts'
import { PlanRunner } from '../use-cases/plans/plan-runner.ts'
import { countedOfReleases } from '../use-cases/plans/release-evidence.ts'
import { requirePreflightOfStep } from '../use-cases/releases/preflight-gate.ts'
import { openCore } from './core-part.ts'
import { openFleet } from './fleet-part.ts'
import type { HostingPart, HostingParts } from './hosting-part.ts'
import { openProving, type ProvingPart } from './proving-part.ts'
import type { ServerParts, Wiring } from './running-server.ts'
import { countArms } from './turn-threads.ts'

const MIB = 1_024 * 1_024
const HOUR = 3_600_000

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
  const plans = openPlans({ ...wiring, fleet, ...proving })
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

interface Parts extends Pick<Wiring, 'config' | 'catalog' | 'storage' | 'closing' | 'failed'> {
  readonly fleet: StoredFleet
  readonly prover: ProvingPart['prover']
  readonly judgePreflight: ProvingPart['judgePreflight']
}

interface PlansPart {
  readonly runner: PlanRunner
  readonly judge: PlanJudge
  readonly watch: FailureWatch
  /** Returns what the gates of a plan look at. */
  readonly healthOf: (releaseId: string) => Promise<ReleaseHealth>
  readonly observedOf: (releaseId: string) => Promise<Observed>
  /** The control of a release as it was last counted; null if it was not lately, or not here. */
  readonly controlOf: (releaseId: string) => Control | null
}

/** Begins to apply the steps of plans and to stop those whose releases fail, for as long as this server leads. */
function openPlans(parts: Parts): PlansPart {
  const { config, catalog, storage, closing, fleet, failed } = parts
  const countedOf = countedOfReleases({ catalog, fleet })
  const observedOf = async (releaseId: string) => (await countedOf(releaseId)).observed
  const healthOf = async (releaseId: string) => (await countedOf(releaseId)).gated
  // A server that stood still does not go on with what another one has led since.
  const writes = { leading: 'plans' } as const
  const controls = new ControlReader({ catalog, fleet, countArms })
  const judge = new PlanJudge({ catalog, fleet, controls }, writes)
  const runner = new PlanRunner({
    ...{ catalog, healthOf, lookEvery: config.plans.lookEvery, writes },
    judge: (running) => judge.judge(running),
    holdoutOf: (running) => holdoutResult({ catalog, fleet, controls }, running),
    preflight: requirePreflightOfStep({ ...parts, hosting: null }),
    onFailure: failed('could not advance a rollout plan'),
  })
  const watch = new FailureWatch({
    ...{ catalog, fleet, controls, facts: storage.leaderFacts },
    onFailure: failed('could not judge releases'),
  })
  const gates = new GateReader({
    ...{ catalog, lookEvery: config.plans.lookEvery, writes },
    asking: { servers: config.plans.gateServers, userAgent: `Tidegate/${VERSION}` },
    onFailure: failed('could not read what a gate asks for'),
  })
  closing.add(whileLeading(storage.leadership('plans'), [runner, watch.job, gates.job]))
  const controlOf = (releaseId: string) => controls.lastOf(releaseId)
  return { runner, judge, watch, healthOf, observedOf, controlOf }
}

interface BackupParts
  extends Pick<
    Wiring,
    'config' | 'storage' | 'closing' | 'clock' | 'reserve' | 'disk' | 'hosting' | 'failed'
  > {
  /** Who can restore a backup into this server; nobody without it. */
  readonly restoreHost: RestoreHost | undefined
}

/** Starts the schedule of backups, and accepts uploads and restores. */
async function openBackups(parts: BackupParts): Promise<BackupWork> {
  const { config, storage, closing, clock, reserve, disk, restoreHost, failed } = parts
  const { dataFolder } = config
  const { copies, makesBackups, location } = storage.engine
  const elsewhere = makesBackups ? undefined : location
  const files = filesOf(parts)
  const backups = new Backups(
    { copies, leadership: storage.leadership('backups'), dataFolder, elsewhere, files },
    config.backups,
    failed('could not back up the database'),
  )
  backups.start()
  closing.add(() => backups.stop())
  const uploads = new BackupUploads({ dataFolder, reserve, freeBytes: disk?.freeBytes })
  await uploads.start()
  closing.add(() => uploads.stop())
  const host = makesBackups ? restoreHost : undefined
  const restores = new Restores({ copies, backups, uploads, files, host })
  restores.start()
  closing.add(() => restores.stop())
  return { backups, downloads: new DownloadTickets(clock), uploads, restores }
}

function filesOf({ config, storage, hosting, reserve }: BackupParts): FileBackups | undefined {
  if (hosting === undefined || config.hosting === undefined) return undefined
  // A bucket has backups of its own.
  if (hosting.stored.kind !== 'folder') return undefined
  return new FileBackups({
    copies: storage.engine.copies,
    ...{ folder: config.hosting.folder, stored: hosting.stored, reserve },
    backups: backupFolderOf(config.backups, config.dataFolder),
  })
}
