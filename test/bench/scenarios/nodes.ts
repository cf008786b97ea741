import { PostgresDatabase } from '../../../src/server/storage/postgres/connection/database.ts'
import { type MeasuredCluster, SETTINGS_TEXT, startMeasuredCluster } from '../nodes/cluster.ts'
import { makeFleet, recount } from '../nodes/fleet.ts'
import { readsOf } from '../nodes/reads.ts'
import { serverFigures } from '../nodes/servers.ts'
import { TelemetryNodes, type Together, type Work } from '../nodes/telemetry.ts'
import { showProgress } from '../output/progress.ts'
import type { Table } from '../output/table.ts'
import { AIMS } from './aims.ts'
import { FIGURE_COLUMNS, type Figure, figureRow } from './figures.ts'
import type { Bench } from './scenario.ts'

const NODES = 2
/** Check-ins of a batch. */
const SIZE = 1_000
/** Check-ins that a node gathers before it stores them, at the rate of the paced rounds: those of 50 ms. */
const GATHERED = 250
/** Seconds of a paced round, at least: its 99th percentile needs batches. */
const PACED_SECONDS = 10

type Kind = 'store' | 'bare' | 'paced' | 'gathered' | 'labels'

/** A round with what PostgreSQL took for it. */
interface Round extends Together {
  /** CPU seconds of all processes of PostgreSQL. */
  readonly postgresCpu: number
  /** Bytes of the write-ahead log. */
  readonly wal: number
}

/** Two nodes on a PostgreSQL of the same machine: what they store, and what they read. Ends with a recount. */
export async function nodes(bench: Bench): Promise<Table> {
  const { workspace, scale } = bench
  const { manyDevices: devices, rounds, measureMs, warmUpMs } = scale
  const cluster = await startMeasuredCluster()
  try {
    const url = cluster.url('postgres')
    await makeFleet(url, devices)
    showProgress(`nodes: made ${devices} devices`)
    const tasks = Array.from({ length: NODES }, (_, at) => {
      return { url, node: at + 1, devices, size: SIZE }
    })
    const running = await TelemetryNodes.start(workspace, tasks)
    const database = new PostgresDatabase(url, 2)
    const measure = (work: Work) => measured(cluster, database, running, work)
    const seconds = measureMs / 1_000
    await running.perform({ kind: 'store', seconds: warmUpMs / 1_000 })
    const results: Record<Kind, Round[]> = {
      ...{ store: [], bare: [], paced: [], gathered: [], labels: [] },
    }
    const paced: Work = {
      ...{ kind: 'store', seconds: Math.max(seconds, PACED_SECONDS) },
      rate: AIMS.pacedPerSecond / NODES,
    }
    for (let round = 0; round < rounds; round++) {
      showProgress(`nodes: round ${round + 1} of ${rounds}`)
      results.store.push(await measure({ kind: 'store', seconds }))
      results.bare.push(await measure({ kind: 'bare', seconds }))
      results.paced.push(await measure(paced))
      results.gathered.push(await measure({ ...paced, size: GATHERED }))
      results.labels.push(await measure({ kind: 'labels', seconds }))
    }
    const hot = await hotShare(database)
    running.end()
    const reads = await readsOf(database, rounds)
    await database.close()
    await recount(url)
    const servers = await serverFigures(bench, await cluster.create('servers'))
    return {
      title: `Two nodes on one PostgreSQL: ${devices} devices, batches of ${SIZE}`,
      columns: FIGURE_COLUMNS,
      rows: [...figuresOf(results), ...reads, ...servers].map(figureRow),
      notes: [
        `PostgreSQL on the same machine, with ${SETTINGS_TEXT}.`,
        'Of aim: what is per second should be above 1, all else below.',
        'Bare: one statement that updates the same number of devices by id and appends to the log, without rules.',
        `Updates of devices that stayed on their page: ${(hot * 100).toFixed(0)} %. Counters equal a recount.`,
      ],
      details: Object.entries(results).map(([name, all]) => ({
        name,
        rounds: all.map(({ times: _, ...round }) => round),
      })),
    }
  } finally {
    await cluster.remove()
  }
}

async function measured(
  cluster: MeasuredCluster,
  database: PostgresDatabase,
  running: TelemetryNodes,
  work: Work,
): Promise<Round> {
  const wal = () => database.row<{ at: number }>("SELECT pg_current_wal_lsn() - '0/0' AS at")
  const [cpu, start] = [cluster.cpu(), await wal()]
  const result = await running.perform(work)
  const end = await wal()
  return {
    ...result,
    postgresCpu: cluster.cpu() - cpu,
    wal: (end?.at ?? 0) - (start?.at ?? 0),
  }
}

async function hotShare(database: PostgresDatabase): Promise<number> {
  const row = await database.row<{ hot: number }>(
    `SELECT n_tup_hot_upd::float / n_tup_upd AS hot FROM pg_stat_user_tables WHERE relname = 'devices'`,
  )
  return row?.hot ?? Number.NaN
}

function figuresOf({
  store,
  bare,
  paced,
  gathered,
  labels,
}: Record<Kind, readonly Round[]>): Figure[] {
  const values = (rounds: readonly Round[], figure: (round: Round) => number) => rounds.map(figure)
  const rowTime = ({ postgresCpu, rows }: Round) => (postgresCpu / rows) * 1e6
  const bareRate = { what: 'bare', unit: 'rows/s', values: values(bare, (r) => r.perSecond) }
  const bareTime = { what: 'bare PostgreSQL', unit: 'µs CPU/row', values: values(bare, rowTime) }
  return [
    {
      what: 'check-ins stored',
      unit: 'rows/s',
      values: values(store, (r) => r.perSecond),
      aim: AIMS.nodesStoredPerSecond,
      than: bareRate,
    },
    bareRate,
    {
      what: 'PostgreSQL',
      unit: 'µs CPU/row',
      values: values(store, rowTime),
      aim: AIMS.postgresPerRow,
      than: bareTime,
    },
    bareTime,
    {
      what: 'both nodes',
      unit: 'µs CPU/row',
      values: values(store, (r) => (r.cpu / r.rows) * 1e6),
    },
    { what: 'write-ahead log', unit: 'B/row', values: values(store, (r) => r.wal / r.rows) },
    { what: 'batch, p50', unit: 'ms', values: values(store, (r) => percentile(r.times, 0.5)) },
    { what: 'batch, p99', unit: 'ms', values: values(store, (r) => percentile(r.times, 0.99)) },
    {
      what: `batch at ${AIMS.pacedPerSecond} rows/s, p50`,
      unit: 'ms',
      values: values(paced, (r) => percentile(r.times, 0.5)),
    },
    {
      what: `batch at ${AIMS.pacedPerSecond} rows/s, p99`,
      unit: 'ms',
      values: values(paced, (r) => percentile(r.times, 0.99)),
      aim: AIMS.pacedBatchMs,
    },
    {
      what: `${GATHERED} rows at that rate, p99`,
      unit: 'ms',
      values: values(gathered, (r) => percentile(r.times, 0.99)),
    },
    { what: 'stored at that rate', unit: 'rows/s', values: values(paced, (r) => r.perSecond) },
    {
      what: 'labels read',
      unit: 'devices/s',
      values: values(labels, (r) => r.perSecond),
      aim: AIMS.labelsPerSecond,
    },
    {
      what: 'label read, p99',
      unit: 'ms',
      values: values(labels, (r) => percentile(r.times, 0.99)),
    },
  ]
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
