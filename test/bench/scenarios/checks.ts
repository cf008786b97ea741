import { APP, channelOf, nameOf, newestOf, ROLLOUT, TARGETS } from '../fleet/releases.ts'
import { randomChecks } from '../fleet/requests.ts'
import { createChannel, type Data, publish } from '../fleet/seeds.ts'
import { drive } from '../load/drive.ts'
import { showProgress } from '../output/progress.ts'
import type { Table } from '../output/table.ts'
import { type Pinning, pinned, pinning } from '../process/affinity.ts'
import type { Listener } from '../process/listener.ts'
import { startBareServer } from './bare.ts'
import { CHECK_COLUMNS, type CheckRounds, checkRow } from './check-row.ts'
import type { Bench } from './scenario.ts'

/** Connections that check at the same time. */
export const CHECK_CONNECTIONS = 64

interface Case {
  readonly name: string
  readonly channel: string
  readonly status: 200 | 204
  /** The version that all devices send. Without it, each sends its seeded one. */
  readonly version?: string
}

/**
 * Update checks with the device header, alternating with a bare node:http server that sends the same bytes.
 * While one is measured, the other is paused, so that background work of the server counts in its own rounds
 * and never slows the bare one.
 */
export async function checks(bench: Bench): Promise<Table> {
  const { fewDevices, manyDevices, fewReleases, manyReleases } = bench.scale
  const pins = pinning()
  const measured: CheckRounds[] = []
  for (const devices of [fewDevices, manyDevices]) {
    for (const releases of [fewReleases, manyReleases]) {
      const cases = casesOf(releases, devices === manyDevices && releases === fewReleases)
      const wanted = cases.filter(({ name }) =>
        caseName(name, devices, releases).includes(bench.only),
      )
      if (wanted.length === 0) continue
      const results = await bench.seeds.lend(devices, (data) =>
        pinned(pins, () => measureCases(bench, data, devices, releases, wanted, pins)),
      )
      measured.push(...results)
    }
  }
  return {
    title: `Update checks: ${CHECK_CONNECTIONS} connections, a random device each, medians`,
    columns: CHECK_COLUMNS,
    rows: measured.map((rounds) => checkRow(rounds)),
    notes: notesOf(pins, measured),
    details: measured,
  }
}

function casesOf(releases: number, withVariants: boolean): Case[] {
  const channel = nameOf(releases)
  const update: Case = { name: '200', channel, status: 200 }
  const none: Case = { name: '204', channel, status: 204, version: newestOf(releases) }
  if (!withVariants) return [update, none]
  const rollout: Case = { name: '200 rollout 50 %', channel: ROLLOUT.name, status: 200 }
  const targets: Case = { name: '200 label targets', channel: TARGETS.name, status: 200 }
  return [update, rollout, targets, none]
}

const caseName = (name: string, devices: number, releases: number) =>
  `${name}, ${devices} devices, ${releases} releases`

async function measureCases(
  bench: Bench,
  data: Data,
  devices: number,
  releases: number,
  cases: readonly Case[],
  pins: Pinning | undefined,
): Promise<CheckRounds[]> {
  const isNew = releases !== bench.scale.fewReleases
  if (isNew) await createChannel(bench.tidegate, data.folder, nameOf(releases))
  const server = await bench.tidegate.serve(data.folder, pins?.server)
  if (isNew) await publish(server.port, data.key, channelOf(releases))
  const results: CheckRounds[] = []
  for (const each of cases) {
    showProgress(`checks: ${caseName(each.name, devices, releases)}`)
    const next = randomChecks(APP, each.channel, devices, each.version)
    const rounds = await measureBesideBare(bench, server, next, each.status, pins)
    results.push({ case: each.name, devices, releases, ...rounds })
  }
  await server.stop()
  return results
}

/** Measures a server and a bare one that sends the same bytes to `next`, round by round. */
export async function measureBesideBare(
  { workspace, scale }: Bench,
  server: Listener,
  next: () => Uint8Array,
  status: number,
  pins: Pinning | undefined,
): Promise<Pick<CheckRounds, 'server' | 'bare'>> {
  const bareServer = await startBareServer(workspace, server.port, next, pins)
  const round = async (target: Listener, measureMs: number) => {
    target.resume()
    const window = { leadInMs: scale.leadInMs, measureMs }
    const { port, pid } = target
    const load = { port, pid, next, expect: status, connections: CHECK_CONNECTIONS, window }
    const result = await drive(load)
    target.pause()
    return result
  }
  const rounds: Pick<CheckRounds, 'server' | 'bare'> = { server: [], bare: [] }
  await round(server, scale.warmUpMs)
  await round(bareServer, scale.warmUpMs)
  for (let i = 0; i < scale.rounds; i += 1) {
    rounds.server.push(await round(server, scale.measureMs))
    rounds.bare.push(await round(bareServer, scale.measureMs))
  }
  await bareServer.kill()
  server.resume()
  return rounds
}

/** Says how the servers were pinned, how to read the figures, and whose replies differed. */
export function notesOf(pins: Pinning | undefined, measured: readonly CheckRounds[]): string[] {
  const notes = [
    pins === undefined
      ? 'Not pinned (no taskset, or one core): server and client share all cores.'
      : `Pinned: both servers with all their threads on core ${pins.server}, client on core ${pins.client}.`,
    'CPU ratio: by requests per second of processor time. srv CPU: all threads, main: the main one.',
    'CPU figures are shares of one core. With srv and bare CPU near 100 % the servers were the limit;',
    'less with a busy client says that the client was; others: what other processes took.',
  ]
  const unlike = measured.filter(({ server, bare }) => {
    const [a, b] = [server[0]?.replyBytes ?? 0, bare[0]?.replyBytes ?? 0]
    return Math.abs(a - b) > 0.01 * b
  })
  for (const { case: name } of unlike) notes.push(`${name}: replies of the two differ in length.`)
  return notes
}
