import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Catalog } from '../catalog/catalog.ts'
import type { Nodes } from '../runtime/cluster/nodes.ts'
import {
  type CheckCounts,
  type DownloadCounts,
  DURATION_BOUNDS,
  type EnvelopeCounts,
} from './counts.ts'
import { METRICS, type Scraped } from './metric-definitions.ts'
import type { Monitor } from './monitor.ts'
import { text } from './strings.ts'

export interface MetricsParts {
  readonly monitor: Monitor
  readonly catalog: Catalog
  readonly checks: CheckCounts
  readonly downloads: DownloadCounts
  readonly envelopes: EnvelopeCounts
  readonly version: string
  /** Without them, there is one process. */
  readonly nodes?: Nodes | undefined
}

/** The metrics of a server. Whatever they show is kept elsewhere, and filled in when somebody asks. */
export class Metrics {
  readonly #parts: MetricsParts
  readonly #registry = new Registry()
  readonly #fills: readonly ((scraped: Scraped) => void)[]

  constructor(parts: MetricsParts) {
    this.#parts = parts
    const registers = [this.#registry]
    this.#fills = METRICS.map(({ type, name, help, labels = [], read }) => {
      const configuration = { name, help, labelNames: [...labels], registers }
      const metric = type === 'gauge' ? new Gauge(configuration) : new Counter(configuration)
      return (scraped) => {
        metric.reset()
        const samples = read(scraped)
        // A reset metric without labels is 0, which is not the same as unknown.
        if (samples.length === 0 && labels.length === 0) metric.remove()
        for (const { labels = {}, value } of samples) metric.inc(labels, value)
      }
    })
    this.#registry.registerMetric(new CheckDurations(parts.checks))
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  /** Returns all metrics in the text format of Prometheus, those of the process included. */
  async read(): Promise<string> {
    const { monitor, catalog, version, nodes = null } = this.#parts
    const { checks, downloads, envelopes } = this.#parts
    const { minFreeBytes } = monitor
    const [facts, devices] = await Promise.all([monitor.read(), monitor.devices()])
    const { snapshot } = catalog
    const own = { checks, downloads, envelopes, minFreeBytes, version, nodes }
    const scraped = { ...facts, devices, snapshot, ...own }
    for (const fill of this.#fills) fill(scraped)
    const [ofServer, ofProcess] = await Promise.all([
      this.#registry.metrics(),
      processRegistry().metrics(),
    ])
    return ofServer + ofProcess
  }
}

const DURATION = 'tidegate_update_check_duration_seconds'
const DURATION_OPTIONS = {
  name: DURATION,
  help: text.checkDuration,
  buckets: [...DURATION_BOUNDS],
  registers: [],
}

/** A histogram whose buckets are counted by `CheckCounts`. */
class CheckDurations extends Histogram {
  readonly #checks: CheckCounts
  /** Describes itself, and has no values. */
  readonly #description = new Histogram(DURATION_OPTIONS)

  constructor(checks: CheckCounts) {
    super(DURATION_OPTIONS)
    this.#checks = checks
  }

  override async get(): ReturnType<Histogram['get']> {
    const { atMost, count, seconds } = this.#checks.durations
    const buckets = DURATION_BOUNDS.map((le, index) => {
      return { metricName: `${DURATION}_bucket`, labels: { le }, value: atMost[index] ?? 0 }
    })
    const values = [
      ...buckets,
      { metricName: `${DURATION}_bucket`, labels: { le: '+Inf' }, value: count },
      { metricName: `${DURATION}_sum`, labels: {}, value: seconds },
      { metricName: `${DURATION}_count`, labels: {}, value: count },
    ]
    return { ...(await this.#description.get()), values }
  }

  /** What a registry reads in place of `get` where it exists. */
  getForPromString(): ReturnType<Histogram['get']> {
    return this.get()
  }
}

let ofProcess: Registry | undefined

/** One for all servers of a process, because what observes it cannot be stopped. */
function processRegistry(): Registry {
  if (ofProcess !== undefined) return ofProcess
  ofProcess = new Registry()
  collectDefaultMetrics({ register: ofProcess })
  // They list every handle at each scrape, and their names break the rules for names.
  for (const what of ['handles', 'requests', 'resources']) {
    ofProcess.removeSingleMetric(`nodejs_active_${what}`)
    ofProcess.removeSingleMetric(`nodejs_active_${what}_total`)
  }
  return ofProcess
}
