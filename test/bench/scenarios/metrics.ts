import { APP, nameOf, newestOf } from '../fleet/releases.ts'
import { randomChecks } from '../fleet/requests.ts'
import { drive, type LoadResult } from '../load/drive.ts'
import { median, medianOf } from '../output/median.ts'
import { showProgress } from '../output/progress.ts'
import type { Table } from '../output/table.ts'
import { pinned, pinning } from '../process/affinity.ts'
import type { Listener } from '../process/listener.ts'
import { freePort } from '../process/ports.ts'
import { CHECK_CONNECTIONS } from './checks.ts'
import type { Bench } from './scenario.ts'

interface Case {
  readonly name: string
  readonly status: 200 | 204
  readonly version?: string
}

interface Rounds {
  readonly off: LoadResult[]
  readonly on: LoadResult[]
}

/**
 * Update checks of a server with metrics, which are read once per round, alternating with those of one without. While
 * one is measured, the other is paused.
 */
export async function metrics(bench: Bench): Promise<Table> {
  const { fewDevices, fewReleases } = bench.scale
  const pins = pinning()
  const cases: Case[] = [
    { name: '200', status: 200 },
    { name: '204', status: 204, version: newestOf(fewReleases) },
  ]
  const measured = await bench.seeds.lend(fewDevices, (one) =>
    bench.seeds.lend(fewDevices, (other) =>
      pinned(pins, async () => {
        const port = await freePort()
        const off = await bench.tidegate.serve(one.folder, pins?.server)
        const options = ['--metrics-port', String(port)]
        const on = await bench.tidegate.serve(other.folder, pins?.server, options)
        const rows = []
        for (const each of cases) {
          showProgress(`metrics: ${each.name}`)
          rows.push({ case: each.name, ...(await measure(bench, each, { off, on }, port)) })
        }
        await off.stop()
        await on.stop()
        return rows
      }),
    ),
  )
  return {
    title: `Update checks with metrics off and on: ${CHECK_CONNECTIONS} connections, medians`,
    columns: [
      { name: 'answer' },
      { name: 'off req/s' },
      { name: 'on req/s' },
      { name: 'ratio', decimals: 3 },
      { name: 'CPU ratio', decimals: 3 },
    ],
    rows: measured.map(({ case: answer, off, on }) => ({
      answer,
      'off req/s': medianOf(off, (round) => round.perSecond),
      'on req/s': medianOf(on, (round) => round.perSecond),
      ratio: ratioOf(on, off, (round) => round.perSecond),
      'CPU ratio': ratioOf(on, off, (round) => round.perSecond / round.serverCpu),
    })),
    notes: ['Ratio: of neighbouring rounds, on to off. CPU ratio: by second of processor time.'],
    details: measured,
  }
}

async function measure(
  { scale }: Bench,
  { status, version }: Case,
  servers: { readonly off: Listener; readonly on: Listener },
  metricsPort: number,
): Promise<Rounds> {
  const next = randomChecks(APP, nameOf(scale.fewReleases), scale.fewDevices, version)
  const round = async (target: Listener, measureMs: number) => {
    target.resume()
    if (target === servers.on) await readMetrics(metricsPort)
    const window = { leadInMs: scale.leadInMs, measureMs }
    const { port, pid } = target
    const load = { port, pid, next, expect: status, connections: CHECK_CONNECTIONS, window }
    const result = await drive(load)
    target.pause()
    return result
  }
  const rounds: Rounds = { off: [], on: [] }
  servers.off.pause()
  servers.on.pause()
  await round(servers.off, scale.warmUpMs)
  await round(servers.on, scale.warmUpMs)
  for (let i = 0; i < scale.rounds; i += 1) {
    rounds.off.push(await round(servers.off, scale.measureMs))
    rounds.on.push(await round(servers.on, scale.measureMs))
  }
  return rounds
}

/** On a connection of its own, because the server is paused between two readings. */
async function readMetrics(port: number): Promise<void> {
  const headers = { connection: 'close' }
  const response = await fetch(`http://127.0.0.1:${port}/metrics`, { headers })
  await response.text()
}

function ratioOf(
  on: readonly LoadResult[],
  off: readonly LoadResult[],
  figure: (round: LoadResult) => number,
): number {
  return median(
    on.map((round, i) => {
      const neighbour = off[i]
      return neighbour === undefined ? Number.NaN : figure(round) / figure(neighbour)
    }),
  )
}
