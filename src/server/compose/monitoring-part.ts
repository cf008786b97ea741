import { resolve } from 'node:path'
import { Monitor, type MonitorParts } from '../monitoring/monitor.ts'
import { type RunningMetrics, startMetrics } from '../monitoring/start-metrics.ts'
import type { Contact } from '../use-cases/contact.ts'
import { VERSION } from '../version.ts'
import type { Wiring } from './running-server.ts'

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

interface Parts
  extends Watched,
    Pick<Wiring, 'config' | 'storage' | 'closing' | 'disk' | 'failed'> {
  readonly contact: Contact
}

export interface MonitoringPart {
  readonly monitor: Monitor
  /** Undefined if metrics are off. */
  readonly metrics: RunningMetrics | undefined
}

/** Opens what reads the state of the server, and the listener of its metrics. Rejects as `startMetrics` does. */
export async function openMonitoring(parts: Parts): Promise<MonitoringPart> {
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
