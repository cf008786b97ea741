import { BudgetName } from '../../shared/operation/budgets.ts'
import type { Snapshot } from '../catalog/snapshot.ts'
import type { ActiveDevices } from '../fleet/facts.ts'
import { SEEN_PERIODS } from '../fleet/time.ts'
import type { NodeInfo, Nodes } from '../runtime/cluster/nodes.ts'
import {
  type CheckCounts,
  DOWNLOAD_KINDS,
  type DownloadCounts,
  ENVELOPE_ITEMS,
  type EnvelopeCounts,
} from './counts.ts'
import { isBackupFailing, isReady } from './judgement.ts'
import type { ServerFacts } from './monitor.ts'
import { text } from './strings.ts'

export interface Scraped extends ServerFacts {
  readonly snapshot: Snapshot
  readonly checks: CheckCounts
  readonly downloads: DownloadCounts
  readonly envelopes: EnvelopeCounts
  /** null if they cannot be counted. */
  readonly devices: readonly ActiveDevices[] | null
  readonly minFreeBytes: number
  readonly version: string
  /** null without nodes. */
  readonly nodes: Nodes | null
}

export interface Sample {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

/** A metric whose values are known when somebody asks. */
export interface MetricDefinition {
  readonly type: 'gauge' | 'counter'
  readonly name: `tidegate_${string}`
  readonly help: string
  readonly labels?: readonly string[]
  /** None if there is nothing to say. */
  readonly read: (scraped: Scraped) => readonly Sample[]
}

/** Every metric of the server but the duration of checks. Apps are those of the catalog, so labels are bounded. */
export const METRICS: readonly MetricDefinition[] = [
  gauge('build_info', text.build, ({ version }) => [one(1, { version, node: process.version })], [
    'version',
    'node',
  ]),
  counter('update_checks_total', text.checks, checksOf, ['app', 'outcome']),
  gauge('check_ins_queued', text.queued, ({ telemetry }) => [one(telemetry.queued)]),
  counter('check_ins_lost_total', text.lost, ({ telemetry }) => [one(telemetry.lost)]),
  gauge('telemetry_failing', text.telemetryFailing, ({ telemetry }) => [
    flag(telemetry.failure !== null),
  ]),
  gauge('budget_rejections', text.budgetRejections, budgetsOf, ['budget']),
  gauge('devices', text.devices, devicesOf, ['app', 'seen']),
  gauge('ready', text.ready, (facts) => [flag(isReady(facts))]),
  gauge('catalog_revision', text.revision, ({ revision }) => [one(revision)]),
  gauge('database_size_bytes', text.databaseSize, sizesOf, ['file']),
  gauge('disk_free_bytes', text.freeDisk, ({ space }) =>
    space?.freeBytes === undefined ? [] : [one(space.freeBytes)],
  ),
  gauge('disk_free_minimum_bytes', text.minFreeDisk, ({ minFreeBytes }) => [one(minFreeBytes)]),
  gauge('backup_interval_seconds', text.backupInterval, ({ backups }) => [
    one(backups.everyHours * 3_600),
  ]),
  gauge('backup_last_success_timestamp_seconds', text.lastBackup, ({ backups }) =>
    timestamp(backups.lastSuccessAt),
  ),
  gauge('backup_failing', text.backupFailing, ({ backups }) => [flag(isBackupFailing(backups))]),
  gauge('certificate_expiry_timestamp_seconds', text.certificateExpiry, ({ certificate }) =>
    timestamp(certificate?.expiresAt ?? null),
  ),
  gauge('certificate_reload_failing', text.certificateReloadFailing, ({ certificate }) =>
    certificate === null ? [] : [flag(certificate.refused !== null)],
  ),
  gauge('bucket_failing', text.bucketFailing, ({ bucket }) =>
    bucket === null ? [] : [flag(bucket === 'failing')],
  ),
  counter('downloads_total', text.downloads, downloadsOf('downloads'), ['kind']),
  counter('download_bytes_total', text.downloadBytes, downloadsOf('bytes'), ['kind']),
  counter('download_saved_bytes_total', text.savedBytes, ({ downloads }) => [
    one(downloads.savedBytes),
  ]),
  counter(
    'envelope_items_total',
    text.envelopeItems,
    ({ envelopes }) => ENVELOPE_ITEMS.map((item) => one(envelopes.of(item), { item })),
    ['item'],
  ),
  gauge('node_info', text.node, nodeOf, ['id', 'name']),
  gauge('node_lease_seconds', text.nodeLease, ({ nodes }) =>
    nodes === null ? [] : [one(nodes.leaseLeft / 1_000)],
  ),
  gauge('node_changes_behind', text.nodeBehind, behindOf, ['part']),
  gauge('nodes', text.nodes, nodesOf, ['state']),
  gauge('nodes_age_seconds', text.nodesAge, ({ nodes }) =>
    nodes === null ? [] : [one(nodes.list().age / 1_000)],
  ),
  counter('log_lines_lost_total', text.logLost, ({ log }) => [one(log.lost)]),
]

function nodeOf({ nodes }: Scraped): Sample[] {
  return nodes === null ? [] : [one(1, { id: String(nodes.id), name: nodes.name })]
}

function behindOf({ nodes }: Scraped): Sample[] {
  const own = nodes?.list().nodes.find((node) => node.own)
  if (own === undefined) return []
  return Object.entries(own.behind).map(([part, changes]) => one(changes, { part }))
}

function nodesOf({ nodes }: Scraped): Sample[] {
  if (nodes === null) return []
  const listed = nodes.list().nodes
  const serves = ({ leaseLeft }: NodeInfo) => leaseLeft > 0
  const serving = listed.filter(serves).length
  return [
    one(serving, { state: 'serving' }),
    one(listed.length - serving, { state: 'not_serving' }),
  ]
}

function checksOf({ checks, snapshot }: Scraped): Sample[] {
  const apps = [{ key: 0, ref: '' }, ...snapshot.apps.map(({ record }) => record)]
  return apps.flatMap(({ key, ref: app }) =>
    checks.of(key).map(({ outcome, count }) => one(count, { app, outcome })),
  )
}

function downloadsOf(what: 'downloads' | 'bytes'): MetricDefinition['read'] {
  return ({ downloads }) => DOWNLOAD_KINDS.map((kind) => one(downloads.of(kind)[what], { kind }))
}

function budgetsOf({ telemetry }: Scraped): Sample[] {
  return BudgetName.options.map((budget) => {
    const used = telemetry.budgets.find(({ name }) => name === budget)
    return one(used?.count ?? 0, { budget })
  })
}

function devicesOf({ devices, snapshot }: Scraped): Sample[] {
  if (devices === null) return []
  return snapshot.apps.flatMap(({ record, channels }) => {
    const keys = new Set([...channels.values()].map((channel) => channel.record.key))
    const own = devices.filter(({ profile }) => keys.has(profile.channelKey))
    return SEEN_PERIODS.map((seen) => {
      const count = own.reduce((total, each) => total + each.seen[seen], 0)
      return one(count, { app: record.ref, seen })
    })
  })
}

function sizesOf({ space }: Scraped): Sample[] {
  if (space === null) return []
  const { databaseBytes, logBytes } = space
  const log = logBytes === undefined ? [] : [one(logBytes, { file: 'log' })]
  return [one(databaseBytes, { file: 'database' }), ...log]
}

function timestamp(iso: string | null): Sample[] {
  return iso === null ? [] : [one(Date.parse(iso) / 1_000)]
}

function one(value: number, labels?: Sample['labels']): Sample {
  return labels === undefined ? { value } : { value, labels }
}

function flag(isSet: boolean): Sample {
  return { value: isSet ? 1 : 0 }
}

function gauge(
  name: string,
  help: string,
  read: MetricDefinition['read'],
  labels: readonly string[] = [],
): MetricDefinition {
  return { type: 'gauge', name: `tidegate_${name}`, help, read, labels }
}

function counter(
  name: string,
  help: string,
  read: MetricDefinition['read'],
  labels: readonly string[] = [],
): MetricDefinition {
  return { type: 'counter', name: `tidegate_${name}`, help, read, labels }
}
