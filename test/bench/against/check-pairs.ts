import { APP, channelOf, nameOf, newestOf } from '../fleet/releases.ts'
import { randomChecks } from '../fleet/requests.ts'
import { createChannel, publish } from '../fleet/seeds.ts'
import { drive, type LoadResult } from '../load/drive.ts'
import { showProgress } from '../output/progress.ts'
import { type Pinning, pinned, pinning } from '../process/affinity.ts'
import type { Listener } from '../process/listener.ts'
import { CHECK_CONNECTIONS } from '../scenarios/checks.ts'
import type { Bench } from '../scenarios/scenario.ts'
import type { Pair } from './pair.ts'
import { alternately, type Sides } from './sides.ts'

/**
 * Update checks of known devices: of both revisions a server each on the same core, one of which is paused while the
 * other one is measured. Processor time is that of all threads.
 */
export async function checkPairs(sides: Sides): Promise<Pair[]> {
  const { fewDevices, manyDevices, fewReleases, manyReleases } = sides.here.scale
  const pairs: Pair[] = []
  for (const devices of [fewDevices, manyDevices]) {
    for (const releases of [fewReleases, manyReleases]) {
      const name = `${devices} devices, ${releases} releases`
      const statuses = ([200, 204] as const).filter((status) =>
        `${status}, ${name}`.includes(sides.here.only),
      )
      if (statuses.length === 0) continue
      pairs.push(...(await measure(sides, devices, releases, statuses)))
    }
  }
  return pairs
}

async function measure(
  { here, there }: Sides,
  devices: number,
  releases: number,
  statuses: readonly (200 | 204)[],
): Promise<Pair[]> {
  const pins = pinning()
  return await serving(here, devices, releases, pins, (own) =>
    serving(there, devices, releases, pins, (other) =>
      pinned(pins, async () => {
        const pairs: Pair[] = []
        for (const status of statuses) {
          const name = `${status}, ${devices} devices, ${releases} releases`
          showProgress(`checks: ${name}`)
          const version = status === 204 ? newestOf(releases) : undefined
          const next = randomChecks(APP, nameOf(releases), devices, version)
          const round = (server: Listener, measureMs: number) =>
            oneRound(server, next, status, { leadInMs: here.scale.leadInMs, measureMs })
          for (const server of [own, other]) await round(server, here.scale.warmUpMs)
          const results = await alternately(
            here.scale.rounds,
            () => round(own, here.scale.measureMs),
            () => round(other, here.scale.measureMs),
          )
          pairs.push(...pairsOf(name, results))
        }
        return pairs
      }),
    ),
  )
}

/** Lends a server with that many devices and releases, paused. */
async function serving<T>(
  { seeds, tidegate, scale }: Bench,
  devices: number,
  releases: number,
  pins: Pinning | undefined,
  work: (server: Listener) => Promise<T>,
): Promise<T> {
  return await seeds.lend(devices, async ({ folder, key }) => {
    const isNew = releases !== scale.fewReleases
    if (isNew) await createChannel(tidegate, folder, nameOf(releases))
    const server = await tidegate.serve(folder, pins?.server)
    if (isNew) await publish(server.port, key, channelOf(releases))
    server.pause()
    const result = await work(server)
    await server.stop()
    return result
  })
}

async function oneRound(
  server: Listener,
  next: () => Uint8Array,
  expect: number,
  window: { readonly leadInMs: number; readonly measureMs: number },
): Promise<LoadResult> {
  server.resume()
  const { port, pid } = server
  const result = await drive({ port, pid, next, expect, connections: CHECK_CONNECTIONS, window })
  server.pause()
  return result
}

function pairsOf(
  name: string,
  { here, there }: { readonly here: readonly LoadResult[]; readonly there: readonly LoadResult[] },
): Pair[] {
  const figure = (unit: string, isMore: boolean, of: (round: LoadResult) => number) => ({
    ...{ what: name, unit, isMore, here: here.map(of), there: there.map(of) },
  })
  return [
    figure('requests/s', true, ({ perSecond }) => perSecond),
    figure(
      'µs of processor time',
      false,
      ({ serverCpu, perSecond }) => (serverCpu / perSecond) * 1e6,
    ),
    figure('ms p99', false, ({ p99 }) => p99),
  ]
}
