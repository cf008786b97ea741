import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { RequestHandler } from 'express'
import type { Logger } from 'pino'
import type { HostingPart } from '../compose/hosting-part.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { CheckCounts, DownloadCounts, EnvelopeCounts } from '../monitoring/counts.ts'
import type { Monitor, MonitorParts } from '../monitoring/monitor.ts'
import type { RepeatedCalls } from '../runtime/async/repeated-calls.ts'
import type { Nodes } from '../runtime/cluster/nodes.ts'
import type { SharedRateLimit } from '../runtime/limits/shared-buckets.ts'
import type { RateLimit } from '../runtime/limits/token-buckets.ts'
import type { Contact } from '../use-cases/contact.ts'
import type { Updates } from '../use-cases/updates.ts'
import type { FailureLog } from './request/failure-log.ts'

export interface WebConsoleRoutes {
  /** Mounted under `/console`. */
  readonly routes: RequestHandler
  /** Whether the console answers this caller at all. */
  reaches(request: IncomingMessage): boolean
  /** Whether the request asks for the live connection. */
  wantsUpgrade(request: IncomingMessage): boolean
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
}

export interface RequestRecorder {
  /** Returns the name that the request gets. */
  record(request: IncomingMessage, response: ServerResponse): string
}

export interface ApiContext
  extends Pick<MonitorParts, 'catalog' | 'databaseTrouble' | 'certificate' | 'logHealth'> {
  /** How far telemetry is written. */
  readonly telemetry: Pick<Fleet, 'health'>
  readonly updates: Updates
  /** With the other servers on the storage. */
  readonly contact: Contact
  readonly log: Logger
  /** For failures that a request can cause. */
  readonly failures: FailureLog
  readonly limits: {
    /** Per client address: everything that needs no key, except health. */
    readonly device: RateLimit
    /** Per IPv6 /56 and per /48: calls of the console without a session. */
    readonly wider: readonly RateLimit[]
    /** Per key, on all nodes together: everything that needs a key. */
    readonly key: SharedRateLimit
    /** Per client address: keys that are refused. */
    readonly rejectedKey: RateLimit
  }
  /** Returns whether to trust the proxy at an address; null without trusted proxies. */
  readonly trustProxy: ((address: string, hop: number) => boolean) | null
  readonly monitor: Monitor
  /** Calls that have a name, so that they can be repeated. */
  readonly repeats: RepeatedCalls
  /** The nodes that serve with this one; undefined if there is one process. */
  readonly nodes?: Nodes | undefined
  /** Callers that have it can read the data folder; it changes with every start. */
  readonly statusToken: string
  /** Records requests; undefined if nobody wants that. */
  readonly accessLog?: RequestRecorder | undefined
  /** Counts update checks; undefined if nobody asks for metrics. */
  readonly checkCounts?: CheckCounts | undefined
  /** Counts downloads for metrics; undefined without them. */
  readonly downloadCounts?: DownloadCounts | undefined
  /** The same for envelopes of Sentry. */
  readonly envelopeCounts?: EnvelopeCounts | undefined
  /** The files that the server keeps; undefined if it keeps none. */
  readonly hosting?: HostingPart | undefined
  /** The console for browsers; undefined if it is not offered. */
  readonly webConsole?: WebConsoleRoutes | undefined
  /** Version of this program. */
  readonly version: string
}
