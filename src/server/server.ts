import { resolve } from 'node:path'
import { type Logger, pino } from 'pino'
import { type OpenedParts, openParts, type Surroundings } from './compose/open-parts.ts'
import type { RunningServer, Server, ServerParts } from './compose/running-server.ts'
import { createPreviewThread } from './compose/turn-threads.ts'
import { type Watch, watchParts } from './compose/watch-parts.ts'
import { ServerConfig, type ServerConfigInput } from './config.ts'
import { createConsoleContext } from './console/context.ts'
import { settingsInUse } from './console/settings/settings-in-use.ts'
import type { ApiContext } from './http/context.ts'
import { createListener } from './http/listener/listener.ts'
import { addressOf, closeListener, listen, trackSockets } from './http/listener/listening.ts'
import { AccessLog } from './http/request/access-log.ts'
import { compileTrust } from './http/request/address.ts'
import { FailureLog } from './http/request/failure-log.ts'
import { perMinute, perMinuteTogether, watched } from './http/request/rate-limit.ts'
import { createDeviceChecks } from './http/update-feeds/device-checks.ts'
import type { Notifications } from './outbound/outbox/notifications.ts'
import { DisposerStack } from './runtime/async/disposer-stack.ts'
import { RepeatedCalls } from './runtime/async/repeated-calls.ts'
import { VERSION } from './runtime/version.ts'
import { Offers } from './use-cases/fleet/offers.ts'
import { devicesOf } from './use-cases/fleet/one-device.ts'
import { createUpdates, type Updates } from './use-cases/updates.ts'
import {
  asksForCode,
  consoleAddress,
  deviceAddresses,
  offerConsole,
  publicConsoleAddress,
} from './web-console/offer-console.ts'

/** Creates a server from its parts. Throws a ZodError for an invalid configuration. */
export function createServer(
  input: ServerConfigInput,
  log: Logger = pino({ level: 'silent' }),
  parts: ServerParts = {},
): Server {
  const config = ServerConfig.parse(input)
  return {
    async start() {
      const closing = new DisposerStack()
      const close = () =>
        closing.close((error) => log.error({ err: error }, 'could not close part of the server'))
      try {
        return await start({ config, log, parts, closing }, close)
      } catch (error) {
        await close()
        throw error
      }
    },
  }
}

/** In phases, each of which uses only what those before it returned. */
async function start(server: Surroundings, close: () => Promise<void>): Promise<RunningServer> {
  const { config, log } = server
  const opened = await openParts(server)
  const watch = await watchParts(server, opened)
  const updates = updatesOf(server, opened, watch)
  const context = apiContext(server, opened, watch, updates)
  const { notifications } = watch.outbox
  const { address, webConsole, loadRest } = await serve(server, opened, { context, notifications })
  const shownAt = consoleAddress(config, address)
  const consoleContext = consoleContextOf(server, opened, watch, { updates, address, shownAt })
  const { folder, publicUrl, bucket } = config.hosting ?? {}
  const keepsFiles = folder !== undefined && publicUrl !== undefined && bucket === undefined
  const { storage, catalog, people, fleet, plans, tls } = opened
  await storage.announce(address, keepsFiles ? { folder: resolve(folder), publicUrl } : null)
  watch.outbox.startSending(publicConsoleAddress(config, address))
  const metricsAddress = watch.metrics?.address ?? null
  const place = { dataFolder: config.dataFolder, database: storage.engine.location }
  log.info({ address, metrics: metricsAddress, ...place, version: VERSION }, 'listening')
  webConsole?.begin(consoleContext)
  opened.jobs.start()
  // Not before whoever started the server hears that it listens.
  setImmediate(loadRest)

  let stopped: Promise<void> | undefined
  return {
    ...{ address, updates, people, notifications, consoleContext, metricsAddress },
    ...opened.state,
    consoleAddress: shownAt,
    consoleCode: (asksForCode(config, address) && webConsole?.code) || null,
    telemetry: fleet,
    backups: opened.backupWork.backups,
    monitor: watch.monitor,
    plans: plans.runner,
    stoppedPlans: () => plans.judge.stopped,
    storageAnswers: async (within) => {
      const asked = catalog.store.transact(async (tx) => await tx.revision(), { within })
      return await asked.then(
        () => true,
        () => false,
      )
    },
    reloadCertificate: async () => await tls?.files.reload(),
    stop: () => (stopped ??= close().then(() => log.info('stopped'))),
  }
}

function updatesOf({ closing }: Surroundings, opened: OpenedParts, { outbox }: Watch): Updates {
  const { catalog, people, fleet, keyUsage, backupWork, plans, hosting, sessions } = opened
  const { failed } = opened.wiring
  const { prover, onProvingFailure, judgePreflight } = opened.proving
  const previews = createPreviewThread()
  closing.add(() => previews.stop())
  return createUpdates({
    ...{ catalog, people, fleet, keyUsage, prover, onProvingFailure, backupWork, sessions },
    sessionBudget: opened.sessionBudget,
    ...{ webhooks: outbox.webhooks, invitationMail: outbox.invitationMail },
    ...{ healthOf: plans.healthOf, observedOf: plans.observedOf, controlOf: plans.controlOf },
    offers: new Offers(catalog, { onFailure: failed('could not store a first offer') }),
    findDevice: devicesOf(fleet),
    carryOutErasure: () => opened.jobs.erasures.carryOut(),
    removalStore: fleet,
    countPreview: previews.count,
    judgePreflight,
    hosting: hosting?.files ?? null,
    onUnreadableLabels: failed('could not read stored labels'),
  })
}

function apiContext(
  { config, log, parts }: Surroundings,
  { catalog, storage, fleet, contact, hosting, state }: OpenedParts,
  { monitor, metrics, logHealth }: Watch,
  updates: Updates,
): ApiContext {
  const trustProxy = compileTrust(config.trustProxy)
  const { nodes, statusToken } = storage
  return {
    ...{ catalog, telemetry: fleet, log, trustProxy, version: VERSION, ...state },
    ...{ updates, contact, hosting, logHealth, monitor, nodes, statusToken },
    failures: new FailureLog(log),
    repeats: new RepeatedCalls(),
    limits: {
      device: watched(perMinute(config.limits.device, nodes), () =>
        fleet.budgets.usedUp('requests'),
      ),
      wider: [2, 4].map((times) => perMinute(times * config.limits.device, nodes)),
      key: perMinuteTogether(config.limits.key, nodes),
      rejectedKey: perMinute(config.limits.rejectedKey, nodes),
    },
    checkCounts: metrics?.checks,
    downloadCounts: metrics?.downloads,
    envelopeCounts: metrics?.envelopes,
    accessLog: parts.accessLog && new AccessLog({ log: parts.accessLog, trustProxy }),
  }
}

/** What requests are answered with. */
interface Answering {
  readonly context: ApiContext
  readonly notifications: Notifications
}

/** Listens, and returns where. Rejects if the address cannot be listened on. */
async function serve(
  { config, parts, closing }: Surroundings,
  { wiring, storage, people, hosting, tls }: OpenedParts,
  { context: api, notifications }: Answering,
) {
  const offered = config.console?.mode === 'off' ? undefined : config.console
  const webConsole =
    offered && offerConsole({ config: offered, api, people, notifications }, parts.refusalsHeldFor)
  const { server: listener, loadRest } = createListener(
    { ...api, webConsole },
    createDeviceChecks(api),
    { tls: tls?.pair, maxConnections: config.maxConnections },
  )
  // Right after the listener has closed: nothing is served from here on.
  closing.add(() => storage.endServing())
  const sockets = trackSockets(listener)
  // Else the first calls would be refused.
  await storage.startServing()
  await listen(listener, config, wiring.failed('could not accept a connection'))
  closing.add(() => closeListener(listener, sockets))
  // Before the listener closes, which waits for connections that stay open, and for uploads that are being stored. Twice
  // does no harm.
  closing.add(() => hosting?.files.stop())
  if (webConsole !== undefined) closing.add(() => webConsole.stop())
  tls?.watch(listener)
  closing.add(() => tls?.files.stop())
  return { address: addressOf(listener, config), webConsole, loadRest }
}

interface Shown {
  readonly updates: Updates
  readonly address: string
  readonly shownAt: string | null
}

function consoleContextOf(
  { config }: Surroundings,
  { catalog, people, fleet, contact, storage, hosting, plans, state }: OpenedParts,
  { allNodes }: Watch,
  { updates, address, shownAt }: Shown,
) {
  return createConsoleContext({
    addresses: () => deviceAddresses(config, address),
    ...{ updates, contact, catalog, people, fleet, nodes: storage.nodes, ...state },
    consoleAddress: shownAt,
    settings: settingsInUse(config),
    dataFolder: resolve(config.dataFolder),
    storesFiles: hosting !== undefined,
    provingFailed: () => allNodes.alarms.includes('proving_failed'),
    plansFailed: () => allNodes.alarms.includes('plans_failed'),
    bucketOutage: () => allNodes.bucketOutage,
    telemetryOfAll: () => allNodes.telemetry,
    failingReleases: () => plans.watch.failing(),
    controlOf: plans.controlOf,
  })
}
