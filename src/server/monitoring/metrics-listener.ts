import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, isIP } from 'node:net'
import { createServer } from '../../shared/basics/node-http.ts'
import type { ServerConfig } from '../config.ts'
import { isOwnName, nameInHost } from '../runtime/own-names.ts'
import { CheckCounts, DownloadCounts, EnvelopeCounts } from './counts.ts'
import type { Metrics, MetricsParts } from './metrics.ts'
import { text } from './strings.ts'

/** Milliseconds for the head of a request, and for the connection to do something. */
const REQUEST_TIME = 5_000
/** Connections; a Prometheus server has one. */
const MAX_CONNECTIONS = 32

interface MetricsListener {
  /** Where they are answered, such as `http://127.0.0.1:9440/metrics`. */
  readonly address: string
  stop(): Promise<void>
}

/** Where metrics are answered, and other names of the server than its own. */
type MetricsPlace = NonNullable<ServerConfig['metrics']> & {
  readonly names: readonly string[]
}

/**
 * Answers `GET /metrics` to anyone who can connect, under a name of the server or an address: a page that has given its
 * own name this address, as with DNS rebinding, gets 421. Rejects with the error of the operating system if it cannot
 * listen. `onFailure` hears of metrics that could not be read.
 */
export async function listenForMetrics(
  metrics: Metrics,
  { host, port, names }: MetricsPlace,
  onFailure: (error: unknown) => void,
): Promise<MetricsListener> {
  let reading: Promise<string> | undefined
  // All that ask at the same time share one answer.
  const read = () =>
    (reading ??= metrics.read().finally(() => {
      reading = undefined
    }))
  const server = createServer({ headersTimeout: REQUEST_TIME, requestTimeout: REQUEST_TIME })
  server.maxConnections = MAX_CONNECTIONS
  server.timeout = REQUEST_TIME
  server.on('request', async ({ method, url, headers }, response) => {
    if (!isOwnHost(headers.host ?? '', names)) {
      send(response, 421, PLAIN, text.unknownHost)
      return
    }
    if (url?.split('?')[0] !== '/metrics' || (method !== 'GET' && method !== 'HEAD')) {
      send(response, 404, PLAIN, text.onlyMetrics)
      return
    }
    try {
      send(response, 200, metrics.contentType, await read())
    } catch (error) {
      onFailure(error)
      send(response, 500, PLAIN, text.failed)
    }
  })
  server.listen({ host, port })
  await once(server, 'listening')
  server.on('error', onFailure)
  const bound = server.address()
  const name = host.includes(':') ? `[${host}]` : host
  return {
    address: `http://${name}:${isPort(bound) ? bound.port : port}/metrics`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Addresses cannot be rebound, also those of a container or a NAT that this computer does not know. */
function isOwnHost(host: string, names: readonly string[]): boolean {
  const name = nameInHost(host)
  if (name === undefined) return false
  return isIP(name) !== 0 || name === 'localhost' || names.includes(name) || isOwnName(name)
}

const PLAIN = 'text/plain; charset=utf-8'

function send(
  response: ServerResponse<IncomingMessage>,
  status: number,
  type: string,
  body: string,
): void {
  const headers = { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) }
  response.writeHead(status, { ...headers, 'Cache-Control': 'no-store' }).end(body)
}

function isPort(bound: AddressInfo | string | null): bound is AddressInfo {
  return typeof bound === 'object' && bound !== null
}

/** Metrics, and what counts for them. */
export interface RunningMetrics extends MetricsListener {
  readonly checks: CheckCounts
  readonly downloads: DownloadCounts
  readonly envelopes: EnvelopeCounts
}

/** Starts to count and to answer metrics. Loads the library only now. Rejects as `listenForMetrics` does. */
export async function startMetrics(
  parts: Omit<MetricsParts, 'checks' | 'downloads' | 'envelopes'>,
  place: MetricsPlace,
  onFailure: (error: unknown) => void,
): Promise<RunningMetrics> {
  const [{ Metrics }, { listenForMetrics }] = await Promise.all([
    import('./metrics.ts'),
    import('./metrics-listener.ts'),
  ])
  const counts = {
    checks: new CheckCounts(),
    downloads: new DownloadCounts(),
    envelopes: new EnvelopeCounts(),
  }
  const metrics = new Metrics({ ...parts, ...counts })
  return { ...counts, ...(await listenForMetrics(metrics, place, onFailure)) }
}
