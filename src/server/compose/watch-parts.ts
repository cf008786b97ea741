import { resolve } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { ServerConfig } from '../config.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { FeedExchange } from '../fleet/ingest/feed-exchange.ts'
import { type RunningMetrics, startMetrics } from '../monitoring/metrics-listener.ts'
import { Monitor, type MonitorParts } from '../monitoring/monitor.ts'
import type { DisposerStack } from '../runtime/async/disposer-stack.ts'
import { AllNodes, type NodeTrouble } from '../runtime/cluster/all-nodes.ts'
import type { NodeState } from '../runtime/cluster/nodes.ts'
import type { LogHealth } from '../runtime/log/log-writer.ts'
import { VERSION } from '../runtime/version.ts'
import type { Storage } from '../storage/interface/storage.ts'
import type { Contact } from '../use-cases/contact.ts'
import { currentAlarms } from './current-alarms.ts'
import type { OpenedParts, Surroundings } from './open-parts.ts'
import { openOutbox } from './outbox-part.ts'
import type { Wiring } from './running-server.ts'

const NO_LOG: LogHealth = { lost: 0, failure: null }

/** What says how a server is, to people, programs and other nodes. */
export type Watch = Awaited<ReturnType<typeof watchParts>>

/** Watches the parts. Rejects as `openMonitoring`. */
export async function watchParts({ config, parts }: Surroundings, opened: OpenedParts) {
  const { wiring, fleet, hosting, state, clock, bucketOutage, disk } = opened
  const { storage } = wiring
  const { backups } = opened.backupWork
  const { logHealth = () => NO_LOG } = parts
  const trouble = (): NodeTrouble => {
    const { lost, failure: telemetryFailure, budgets } = fleet.health
    const watched = { plans: opened.plans.runner, proving: opened.proving.schedule }
    const alarms = currentAlarms({
      ...{ ...watched, fleet, backups, bucketOutage: bucketOutage(), now: clock() },
      certificate: state.certificate(),
    })
    return {
      ...{ alarms: [...alarms], telemetryFailure, lost, budgets: [...budgets] },
      bucketOutage: bucketOutage(),
    }
  }
  joinNodes({ ...wiring, fleet, trouble })
  const allNodes = new AllNodes(trouble, storage.nodes)
  const { newId, contact, minFreeBytes } = opened
  const outbox = openOutbox({ ...wiring, clock, newId, alarmsOf: () => allNodes.alarms })
  const { monitor, metrics } = await openMonitoring({
    ...{ ...wiring, ...state, config, contact, fleet, backups, disk, logHealth, minFreeBytes },
    bucketOutage: () => hosting?.files.outage ?? null,
  })
  return { allNodes, outbox, monitor, metrics, logHealth }
}

/** Milliseconds between two reports. */
const INTERVAL = 5_000
/** Milliseconds between two looks at the event loop, which count as no delay. */
const RESOLUTION = 20

interface Parts {
  readonly storage: Pick<Storage, 'nodes'>
  readonly config: Pick<ServerConfig, 'hosting'>
  readonly fleet: Pick<Fleet, 'feed' | 'health'>
  /** Returns what is wrong on this node. */
  readonly trouble: () => NodeTrouble
  readonly closing: DisposerStack
}

/** Tells the other nodes how this one is, and shows the check-ins of all on each. Does nothing without nodes. */
export function joinNodes({ storage: { nodes }, config, fleet, trouble, closing }: Parts): void {
  if (nodes === undefined) return
  const exchange = new FeedExchange(fleet.feed, nodes)
  closing.add(() => exchange.stop())
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION })
  delays.enable()
  const files = filesOf(config)
  const { lost: lostBefore } = fleet.health
  let before = { announced: fleet.feed.announced, at: performance.now() }
  const report = () => {
    const { queued, lost } = fleet.health
    const now = { announced: fleet.feed.announced, at: performance.now() }
    const seconds = Math.max(0.001, (now.at - before.at) / 1_000)
    const { alarms, telemetryFailure, bucketOutage, budgets } = trouble()
    nodes.report({
      checkInRate: (now.announced - before.announced) / seconds,
      queued,
      lost: Math.max(0, lost - lostBefore),
      memory: process.memoryUsage.rss(),
      delay: Math.max(0, delays.max / 1e6 - RESOLUTION),
      files,
      ...{ alarms, telemetryFailure, bucketOutage, budgets },
    })
    delays.reset()
    before = now
  }
  report()
  const timer = setInterval(report, INTERVAL).unref()
  closing.add(() => {
    clearInterval(timer)
    delays.disable()
  })
}

function filesOf({ hosting }: Parts['config']): NodeState['files'] {
  if (hosting?.bucket !== undefined) return 'bucket'
  return hosting?.folder === undefined ? null : 'folder'
}

type Watched = Pick<
  MonitorParts,
  | 'backups'
  | 'bucketOutage'
  | 'catalog'
  | 'certificate'
  | 'databaseTrouble'
  | 'fleet'
  | 'logHealth'
  | 'minFreeBytes'
>

interface MonitoringParts
  extends Watched,
    Pick<Wiring, 'config' | 'storage' | 'closing' | 'disk' | 'failed'> {
  readonly contact: Contact
}

interface MonitoringPart {
  readonly monitor: Monitor
  /** Undefined if metrics are off. */
  readonly metrics: RunningMetrics | undefined
}

/** Opens what reads the state of the server, and the listener of its metrics. Rejects as `startMetrics` does. */
async function openMonitoring(parts: MonitoringParts): Promise<MonitoringPart> {
  const { config, storage, closing, contact, disk, failed, ...watched } = parts
  const { dataFolder } = config
  const freeBytes = disk?.freeBytes
  const monitor = new Monitor({
    ...watched,
    ...{ mayServe: contact.mayServe, engine: storage.engine, dataFolder: resolve(dataFolder) },
    onFailure: failed('could not read the state of the server'),
    freeBytes: freeBytes && (() => freeBytes(dataFolder)),
    hasBucket: config.hosting?.bucket !== undefined,
  })
  if (!config.metrics) return { monitor, metrics: undefined }
  const metrics = await startMetrics(
    { monitor, catalog: parts.catalog, version: VERSION, nodes: storage.nodes },
    { ...config.metrics, names: config.console?.names ?? [] },
    failed('could not answer metrics'),
  )
  closing.add(() => metrics.stop())
  return { monitor, metrics }
}
