import { resolve } from 'node:path'
import { type Logger, pino } from 'pino'
import { KeyUsage } from './catalog/key-usage.ts'
import { AllNodes } from './cluster/all-nodes.ts'
import { openBackups } from './compose/backup-part.ts'
import { Closing } from './compose/closing.ts'
import { openCore } from './compose/core-part.ts'
import { currentAlarms } from './compose/current-alarms.ts'
import { openFleet } from './compose/fleet-part.ts'
import { openHosting } from './compose/hosting-part.ts'
import { openMonitoring } from './compose/monitoring-part.ts'
import { joinNodes } from './compose/nodes-part.ts'
import { openOutbox } from './compose/outbox-part.ts'
import { openPlans } from './compose/plans-part.ts'
import { createPreviewThread } from './compose/preview-thread.ts'
import { openProving } from './compose/proving-part.ts'
import type { RunningServer, Server, ServerParts } from './compose/running-server.ts'
import { ServerConfig, type ServerConfigInput } from './config.ts'
import { createConsoleContext } from './console/context.ts'
import { lastingOutage } from './hosting/bucket/outage.ts'
import type { ApiContext } from './http/context.ts'
import { createListener } from './http/listener/listener.ts'
import {
  addressOf,
  closeListener,
  listen,
  openTls,
  trackSockets,
} from './http/listener/listening.ts'
import { AccessLog } from './http/request/access-log.ts'
import { compileTrust } from './http/request/address.ts'
import { FailureLog } from './http/request/failure-log.ts'
import { perMinute, perMinuteTogether } from './http/request/rate-limit.ts'
import { createDeviceChecks } from './http/update-feeds/device-checks.ts'
import type { LogHealth } from './log/log-writer.ts'
import { devicesOf } from './use-cases/fleet/explain-device.ts'
import { Offers } from './use-cases/fleet/offers.ts'
import { createUpdates } from './use-cases/updates.ts'
import { VERSION } from './version.ts'
import { asksForCode, consoleAddress, publicConsoleAddress } from './web-console/address.ts'

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
  const { logHealth = () => NO_LOG } = parts
  const minFreeBytes = config.budgets.minFreeDiskMiB * MIB
  const failed = (what: string) => failureOf(log, what)
  const tls = await openTls(config.tls, log)
  const trustProxy = compileTrust(config.trustProxy)
  const core = await openCore({ config, log, parts, closing, failed })
  const { storage, catalog, people, contact } = core
  const wiring = { storage, log, closing, failed }
  const fleetPart = await openFleet({ ...wiring, config, catalog, disk: parts.disk })
  const { fleet } = fleetPart
  const keyUsage = new KeyUsage(storage.catalog, failed('could not record key usage'), () =>
    catalog.now(),
  )
  closing.add(() => keyUsage.stop())
  const { clock = Date.now, newId = () => catalog.newId(), disk, restoreHost } = parts
  const hosting = await openHosting({
    ...{ ...wiring, config, catalog, clock, disk },
    reserve: minFreeBytes,
  })
  const backupWork = await openBackups({
    ...{ ...wiring, config, clock, disk, restoreHost },
    reserve: minFreeBytes,
    hosting: hosting?.files,
  })
  const { backups } = backupWork

  const { prover, schedule, onProvingFailure } = openProving({
    ...{ ...wiring, config, catalog },
    hosting: hosting?.files,
  })

  const plans = openPlans({ ...wiring, config, catalog, fleet })

  const publicAddress = () => publicConsoleAddress(config, address)
  const bucketOutage = () => lastingOutage(hosting?.files.outage ?? null, clock())
  const trouble = () => {
    const { lost, failure: telemetryFailure, budgets } = fleet.health
    const alarms = currentAlarms({
      ...{ fleet, backups, plans: plans.runner, proving: schedule },
      certificate: tls?.files.state ?? null,
      bucketOutage: bucketOutage(),
      now: clock(),
    })
    return {
      ...{ alarms: [...alarms], telemetryFailure, lost, budgets: [...budgets] },
      bucketOutage: bucketOutage(),
    }
  }
  joinNodes({ ...wiring, config, fleet, trouble })
  const allNodes = new AllNodes(trouble, storage.nodes)
  const { webhooks, invitationMail, startSending } = openOutbox({
    ...wiring,
    config,
    clock,
    newId,
    alarmsOf: () => allNodes.alarms,
    console: publicAddress,
  })

  const state = {
    databaseTrouble: () => storage.trouble,
    certificate: () => tls?.files.state ?? null,
  }
  const { monitor, metrics } = await openMonitoring({
    ...{
      ...wiring,
      ...state,
      config,
      catalog,
      contact,
      fleet,
      backups,
      disk,
      logHealth,
      minFreeBytes,
    },
    bucketOutage: () => hosting?.files.outage ?? null,
  })
  const previews = createPreviewThread()
  closing.add(() => previews.stop())
  const updates = createUpdates({
    catalog,
    people,
    fleet,
    offers: new Offers(catalog, { onFailure: failed('could not store a first offer') }),
    findDevice: devicesOf(fleet),
    carryOutErasure: () => fleetPart.erasures.carryOut(),
    keyUsage,
    webhooks,
    invitationMail,
    removalStore: fleet,
    countPreview: previews.count,
    prover,
    onProvingFailure,
    ...{ healthOf: plans.healthOf, observedOf: plans.observedOf },
    backupWork,
    hosting: hosting?.files ?? null,
    onUnreadableLabels: failed('could not read stored labels'),
  })
  const context: ApiContext = {
    ...{ catalog, telemetry: fleet, log, trustProxy, version: VERSION, ...state },
    ...{ updates, contact, hosting },
    failures: new FailureLog(log),
    limits: {
      device: perMinute(config.limits.device, storage.nodes),
      wider: [2, 4].map((times) => perMinute(times * config.limits.device, storage.nodes)),
      key: perMinuteTogether(config.limits.key, storage.nodes),
      rejectedKey: perMinute(config.limits.rejectedKey, storage.nodes),
    },
    ...{ logHealth, monitor, statusToken: storage.statusToken, checkCounts: metrics?.checks },
    nodes: storage.nodes,
    accessLog: parts.accessLog && new AccessLog({ log: parts.accessLog, trustProxy }),
  }
  const webConsole =
    config.console &&
    (await import('./web-console/web-console.ts')).createWebConsole(
      { config: config.console, api: context, console: () => consoleContext, people },
      parts.refusalsHeldFor,
    )
  const checks = createDeviceChecks(context)
  const listener = createListener({ ...context, webConsole }, checks, {
    tls: tls?.pair,
    maxConnections,
  })
  // Right after the listener has closed: nothing is served from here on.
  closing.add(() => storage.endServing())
  const sockets = trackSockets(listener)
  // Else the first calls would be refused.
  await storage.startServing()
  await listen(listener, config, failed('could not accept a connection'))
  closing.add(() => closeListener(listener, sockets))
  // Before the listener closes, which waits for connections that stay open, and for uploads that are being stored. Twice
  // does no harm.
  closing.add(() => hosting?.files.stop())
  if (webConsole !== undefined) closing.add(() => webConsole.stop())
  tls?.watch(listener)
  closing.add(() => tls?.files.stop())
  const address = addressOf(listener, config)
  const { folder, publicUrl, bucket } = config.hosting ?? {}
  const keepsFiles = folder !== undefined && publicUrl !== undefined && bucket === undefined
  await storage.announce(address, keepsFiles ? { folder: resolve(folder), publicUrl } : null)
  startSending()
  const place = { dataFolder, database: storage.engine.location }
  log.info({ address, metrics: metrics?.address, ...place, version: VERSION }, 'listening')

  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= closing.run(log).then(() => log.info('stopped')))
  const reloadCertificate = async () => await tls?.files.reload()
  const storageAnswers = async (within: number) => {
    const asked = catalog.store.transact(async (tx) => await tx.revision(), { within })
    return await asked.then(
      () => true,
      () => false,
    )
  }
  const storesFiles = hosting !== undefined
  const shown = { address, updates, contact, backups, monitor, ...state }
  const read = { catalog, people, fleet, keepCheckInDays, dataFolder: resolve(dataFolder) }
  const webConsoleAddress = consoleAddress(config, address)
  const consoleContext = createConsoleContext({
    ...shown,
    ...read,
    storesFiles,
    provingFailed: () => allNodes.alarms.includes('proving_failed'),
    bucketOutage: () => allNodes.bucketOutage,
    telemetryOfAll: () => allNodes.telemetry,
    nodes: storage.nodes,
    plansFailed: () => allNodes.alarms.includes('plans_failed'),
    failingReleases: () => plans.watch.failing(),
    consoleAddress: webConsoleAddress,
  })
  return {
    ...shown,
    people,
    consoleAddress: webConsoleAddress,
    consoleCode: (asksForCode(config, address) && webConsole?.code) || null,
    metricsAddress: metrics?.address ?? null,
    consoleContext,
    telemetry: fleet,
    plans: plans.runner,
    stoppedPlans: () => plans.judge.stopped,
    storageAnswers,
    reloadCertificate,
    stop,
  }
}

function failureOf(log: Logger, what: string): (error: unknown) => void {
  const failures = new FailureLog(log)
  return (error) => failures.error(error, what)
}
