import { resolve } from 'node:path'
import { type Logger, pino } from 'pino'
import { Backups } from './backups/backups.ts'
import { DownloadTickets } from './backups/download-tickets.ts'
import { Restores } from './backups/restores.ts'
import { BackupUploads } from './backups/uploads.ts'
import { Catalog } from './catalog/catalog.ts'
import { KeyUsage } from './catalog/key-usage.ts'
import { RequestExpiry } from './catalog/request-expiry.ts'
import { Closing } from './closing.ts'
import { ServerConfig, type ServerConfigInput } from './config.ts'
import { createConsoleContext } from './console/context.ts'
import { openFleet } from './fleet-part.ts'
import { createCheck } from './http/check/check.ts'
import type { ApiContext } from './http/context.ts'
import { createListener } from './http/listener/listener.ts'
import {
  addressOf,
  closeListener,
  listen,
  openTls,
  trackSockets,
} from './http/listener/listening.ts'
import { compileTrust } from './http/request/address.ts'
import { FailureLog } from './http/request/failure-log.ts'
import { perMinute } from './http/request/rate-limit.ts'
import { whileLeading } from './leadership.ts'
import type { LogHealth } from './log/log-writer.ts'
import { People } from './people/people.ts'
import { createPreviewThread } from './preview-thread.ts'
import type { RunningServer, Server, ServerParts } from './running-server.ts'
import { openStorage } from './storage/open-storage.ts'
import { devicesOf } from './updates/explain-device.ts'
import { Offers } from './updates/offers.ts'
import { createUpdates } from './updates/updates.ts'
import { VERSION } from './version.ts'
import { consoleAddress } from './web-console/address.ts'
import { createWebConsole } from './web-console/web-console.ts'

const MIB = 1_024 * 1_024
const NO_LOG: LogHealth = { lost: 0, failure: null }

/** Creates a server from its parts. Throws a ZodError for an invalid configuration. */
export function createServer(
  input: ServerConfigInput,
  log: Logger = pino({ level: 'silent' }),
  parts: ServerParts = {},
): Server {
  const config = ServerConfig.parse(input)
  return {
    async start() {
      const closing = new Closing()
      try {
        return await start(config, log, parts, closing)
      } catch (error) {
        await closing.run(log)
        throw error
      }
    },
  }
}

/** Each part adds its close step to `closing`. */
async function start(
  config: ServerConfig,
  log: Logger,
  parts: ServerParts,
  closing: Closing,
): Promise<RunningServer> {
  const { dataFolder, keepCheckInDays, maxConnections } = config
  const failed = (what: string) => failureOf(log, what)
  const tls = await openTls(config.tls, log)
  const trustProxy = compileTrust(config.trustProxy)
  const storage = await openStorage(
    { dataFolder },
    {
      onMigrate: (versions) => {
        log.info(versions, 'migrating database')
        parts.onMigrate?.(versions)
      },
      onMigrated: (result) => log.info(result, 'database migrated'),
      onTrouble: (trouble) => {
        if (trouble === null) log.info('database file is back')
        else log.error({ trouble }, 'database file lost, writes suspended')
      },
    },
  )
  closing.add(() => storage.close())
  const catalog = await Catalog.open(storage.catalog, failed('could not reload the catalog'), {
    ...parts,
    onServed: (revision) => storage.setServed(revision),
  })
  catalog.watch()
  closing.add(() => catalog.stop())
  const people = await People.open(storage.people, {
    ...{ clock: parts.clock, newId: parts.newId, passwordCost: parts.passwordCost },
    provider: config.provider,
    appRef: (appKey) => catalog.snapshot.appByKey.get(appKey)?.record.ref,
    onFailure: failed('could not update accounts or sessions'),
  })
  people.watch()
  closing.add(() => people.stop())
  const wiring = { storage, log, closing, failed }
  const fleetPart = await openFleet({ ...wiring, config, catalog, disk: parts.disk })
  const { fleet } = fleetPart
  const keyUsage = new KeyUsage(storage.catalog, failed('could not record key usage'), () =>
    catalog.now(),
  )
  closing.add(() => keyUsage.stop())
  const backups = new Backups(
    { copies: storage.engine.copies, leadership: storage.leadership('backups'), dataFolder },
    config.backups,
    failed('could not back up the database'),
  )
  backups.start()
  closing.add(() => backups.stop())
  const { copies } = storage.engine
  const uploads = new BackupUploads({
    dataFolder,
    reserve: config.budgets.minFreeDiskMiB * MIB,
    freeBytes: parts.disk?.freeBytes,
  })
  await uploads.start()
  closing.add(() => uploads.stop())
  const restores = new Restores({ copies, backups, uploads, host: parts.restoreHost })
  restores.start()
  closing.add(() => restores.stop())
  const downloads = new DownloadTickets(parts.clock ?? Date.now)

  const expiry = new RequestExpiry(catalog, failed('could not expire change requests'))
  closing.add(whileLeading(storage.leadership('change_requests'), [expiry]))

  const state = {
    databaseTrouble: () => storage.trouble,
    certificate: () => tls?.files.state ?? null,
  }
  const updates = createUpdates({
    catalog,
    people,
    fleet,
    offers: new Offers(catalog, { onFailure: failed('could not store a first offer') }),
    findDevice: devicesOf(fleet),
    carryOutErasure: () => fleetPart.erasures.carryOut(),
    keyUsage,
    removalStore: fleet,
    countPreview: createPreviewThread(),
    backupWork: { backups, downloads, uploads, restores },
    onUnreadableLabels: failed('could not read stored labels'),
  })
  const context: ApiContext = {
    ...{ catalog, telemetry: fleet, log, trustProxy, version: VERSION, ...state },
    updates,
    failures: new FailureLog(log),
    limits: {
      device: perMinute(config.limits.device),
      key: perMinute(config.limits.key),
      rejectedKey: perMinute(config.limits.rejectedKey),
    },
    logHealth: parts.logHealth ?? (() => NO_LOG),
  }
  const webConsole =
    config.console &&
    createWebConsole({
      config: config.console,
      api: context,
      console: () => consoleContext,
      people,
    })
  const check = createCheck(context)
  const listener = createListener({ ...context, webConsole }, check, {
    tls: tls?.pair,
    maxConnections,
  })
  // Right after the listener has closed: nothing is served from here on.
  closing.add(() => storage.endServing())
  const sockets = trackSockets(listener)
  await listen(listener, config, failed('could not accept a connection'))
  closing.add(() => closeListener(listener, sockets))
  // Before the listener closes, which waits for connections that stay open.
  if (webConsole !== undefined) closing.add(() => webConsole.stop())
  tls?.watch(listener)
  closing.add(() => tls?.files.stop())
  const address = addressOf(listener, config)
  storage.announce(address)
  log.info({ address, dataFolder, version: VERSION }, 'listening')

  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= closing.run(log).then(() => log.info('stopped')))
  const reloadCertificate = async () => await tls?.files.reload()
  const shown = { address, updates, backups, ...state }
  const read = { catalog, people, fleet, keepCheckInDays, dataFolder: resolve(dataFolder) }
  const webConsoleAddress = consoleAddress(config, address)
  const consoleContext = createConsoleContext({
    ...shown,
    ...read,
    consoleAddress: webConsoleAddress,
  })
  return {
    ...shown,
    people,
    consoleAddress: webConsoleAddress,
    consoleContext,
    telemetry: fleet,
    reloadCertificate,
    stop,
  }
}

function failureOf(log: Logger, what: string): (error: unknown) => void {
  const failures = new FailureLog(log)
  return (error) => failures.error(error, what)
}
