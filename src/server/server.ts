import { type Logger, pino } from 'pino'
import type { CertificateState } from '../shared/certificate.ts'
import type { DatabaseTrouble } from '../shared/database-file.ts'
import { Backups } from './backups/backups.ts'
import { Catalog, type CatalogParts } from './catalog/catalog.ts'
import { KeyUsage } from './catalog/key-usage.ts'
import { Offers } from './catalog/offers.ts'
import { ServerConfig, type ServerConfigInput } from './config.ts'
import type { Erasures } from './fleet/erasures.ts'
import { Fleet } from './fleet/fleet.ts'
import { startFleetJobs } from './fleet-jobs.ts'
import { compileTrust } from './http/address.ts'
import { type Check, createCheck } from './http/check.ts'
import type { ApiContext } from './http/context.ts'
import { FailureLog } from './http/failure-log.ts'
import { createListener } from './http/listener.ts'
import { perMinute } from './http/rate-limit.ts'
import { addressOf, closeListener, listen, openTls } from './listening.ts'
import type { LogHealth } from './log/log-writer.ts'
import { createSqliteCatalogStore } from './storage/catalog-store.ts'
import { dataFile } from './storage/database.ts'
import { DatabaseFiles } from './storage/database-files.ts'
import type { DiskGuardOptions } from './storage/disk-guard.ts'
import { SqliteFleetStore } from './storage/fleet-store.ts'
import { type FolderLock, lockDataFolder } from './storage/lock.ts'
import { prepareDatabase } from './storage/prepare.ts'
import { ServedRevision } from './storage/served-revision.ts'
import { VERSION } from './version.ts'

const NO_LOG: LogHealth = { lost: 0, failure: null }

/** A server that runs. */
export interface RunningServer {
  /** Base address, such as `http://127.0.0.1:8440`. */
  readonly address: string
  readonly catalog: Catalog
  /** The update check as HTTP requests have it, without the wire. */
  readonly check: Check
  readonly fleet: Fleet
  /** What is committed of the fleet, and where whole apps are removed. */
  readonly fleetStore: Pick<
    SqliteFleetStore,
    'versions' | 'traffic' | 'read' | 'remove' | 'removeDevices'
  >
  /** Carries out requests to forget a device. */
  readonly erasures: Pick<Erasures, 'carryOut'>
  readonly databaseFile: string
  /** Days that check-ins are kept, 0 for ever. */
  readonly keepCheckInDays: number
  readonly backups: Backups
  /** What happened to the database's files since the start, null where they are in place. */
  readonly databaseTrouble: () => DatabaseTrouble | null
  /** The certificate that the server answers with; null without TLS. */
  readonly certificate: () => CertificateState | null
  /** Reads the files of TLS again, changed or not; nothing happens without TLS. */
  reloadCertificate(): Promise<void>
  /** Answers what is under way, writes what waits, and gives the data folder free. */
  stop(): Promise<void>
}

export interface Server {
  /**
   * Opens the data folder and listens. Throws `StorageError` where the folder cannot be used (in
   * use, newer, damaged) and the error of the operating system where the port cannot; then
   * everything is closed again.
   */
  start(): Promise<RunningServer>
}

/** What a server takes from the machine, unless it is given. */
export interface ServerParts extends Pick<CatalogParts, 'clock' | 'newId'> {
  /** How the free space on the disk is read, and how often. */
  readonly disk?: Pick<DiskGuardOptions, 'freeBytes' | 'interval'>
  /** Whether lines of `log` are lost. */
  readonly logHealth?: (() => LogHealth) | undefined
}

/** The one place where the parts are put together. Throws a ZodError for a wrong configuration. */
export function createServer(
  input: ServerConfigInput,
  log: Logger = pino({ level: 'silent' }),
  parts: ServerParts = {},
): Server {
  const config = ServerConfig.parse(input)
  return {
    async start() {
      const undo: (() => void | Promise<void>)[] = []
      try {
        return await start(config, log, parts, undo)
      } catch (error) {
        await closeAll(undo, log)
        throw error
      }
    },
  }
}

/** Each part that must be closed again puts how onto `undo`; the last comes first. */
async function start(
  config: ServerConfig,
  log: Logger,
  parts: ServerParts,
  undo: (() => void | Promise<void>)[],
): Promise<RunningServer> {
  const tls = await openTls(config.tls, log)
  const trustProxy = compileTrust(config.trustProxy)
  const lock: FolderLock = lockDataFolder(config.dataFolder)
  undo.push(() => lock.release())
  const { from, to, copy } = prepareDatabase(config.dataFolder, { lockHeld: true })
  if (copy !== undefined) log.info({ from, to, copy }, 'database migrated')

  const file = dataFile(config.dataFolder)
  // Before the catalog is read: a command that finds no file knows that its change will be read.
  const served = new ServedRevision(config.dataFolder)
  undo.push(() => served.release())
  const databaseFiles = new DatabaseFiles(file)
  const beforeWrite = () => databaseFiles.check()
  const options = { checkpoint: 'elsewhere', thread: true, beforeWrite } as const
  const catalogStore = createSqliteCatalogStore(file, options)
  undo.push(() => catalogStore.close())
  const catalog = await Catalog.open(
    catalogStore,
    failed(log, 'the catalog could not be read again'),
    { ...parts, onServed: (revision) => served.set(revision) },
  )
  await databaseFiles.remember()
  databaseFiles.watch((trouble) => {
    if (trouble === null) log.info('the database file is back')
    else log.error({ trouble }, 'the database file is gone: nothing is written')
  })
  undo.push(() => databaseFiles.stop())
  catalog.watch()
  undo.push(() => catalog.stop())

  const fleetStore = SqliteFleetStore.open(file, { beforeWrite })
  undo.push(() => fleetStore.close())
  const fleet = await Fleet.open(fleetStore, {
    onFailure: failed(log, 'telemetry could not be written'),
    onSetAside: (heartbeats, reason) =>
      log.error({ heartbeats, reason }, 'telemetry that the database refuses was set aside'),
    clock: () => catalog.now(),
    labelBytes: config.budgets.labelBytes,
    newDevices: config.budgets.newDevices,
    onUsedUp: (budget) => log.warn({ budget }, 'budget used up'),
    combinations: config.budgets.combinations,
  })
  undo.push(() => fleet.stop())
  const jobs = await startFleetJobs({
    ...{ config, log, catalog, fleet, fleetStore, disk: parts.disk },
    failed: (what) => failed(log, what),
  })
  undo.push(() => jobs.stop())
  const keyUsage = new KeyUsage(
    catalogStore,
    failed(log, 'the use of keys could not be noted'),
    () => catalog.now(),
  )
  undo.push(() => keyUsage.stop())

  const backups = new Backups(
    config.dataFolder,
    config.backups,
    failed(log, 'the database could not be backed up'),
  )
  backups.start()
  undo.push(() => backups.stop())

  const limits = {
    device: perMinute(config.limits.device),
    key: perMinute(config.limits.key),
    rejectedKey: perMinute(config.limits.rejectedKey),
  }
  const context: ApiContext = {
    catalog,
    fleet,
    keyUsage,
    offers: new Offers(catalog, { onFailure: failed(log, 'a first offer could not be stored') }),
    log,
    failures: new FailureLog(log),
    limits,
    trustProxy,
    databaseTrouble: () => databaseFiles.trouble,
    certificate: () => tls?.files.state ?? null,
    version: VERSION,
    logHealth: parts.logHealth ?? (() => NO_LOG),
  }
  const check = createCheck(context)
  const listener = createListener(context, check, {
    tls: tls?.pair,
    maxConnections: config.maxConnections,
  })
  undo.push(() => served.release())
  await listen(listener, config)
  undo.push(() => closeListener(listener))
  tls?.watch(listener)
  undo.push(() => tls?.files.stop())
  const address = addressOf(listener, config)
  lock.announce(address)
  log.info({ address, dataFolder: config.dataFolder, version: VERSION }, 'listening')

  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= closeAll(undo, log).then(() => log.info('stopped')))
  const { keepCheckInDays } = config
  const { databaseTrouble, certificate } = context
  const reloadCertificate = async () => await tls?.files.reload()
  const state = { databaseTrouble, certificate, reloadCertificate }
  const shown = { address, databaseFile: file, keepCheckInDays, backups, ...state }
  return { ...shown, catalog, check, fleet, fleetStore, erasures: jobs.erasures, stop }
}

/** Closes the parts, the last first; one that fails is logged and holds up none of the others. */
async function closeAll(undo: (() => void | Promise<void>)[], log: Logger): Promise<void> {
  for (const close of undo.splice(0).reverse()) {
    try {
      await close()
    } catch (error) {
      log.error({ err: error }, 'a part of the server could not be closed cleanly')
    }
  }
}

function failed(log: Logger, what: string): (error: unknown) => void {
  const failures = new FailureLog(log)
  return (error) => failures.error(error, what)
}
