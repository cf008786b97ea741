import { APP, nameOf, newestOf } from '../fleet/releases.ts'
import { post, randomChecks } from '../fleet/requests.ts'
import { fill } from '../fleet/seeds.ts'
import { drive, type LoadResult } from '../load/drive.ts'
import { pinned, pinning } from '../process/affinity.ts'
import type { Listener } from '../process/listener.ts'
import { AIMS } from '../scenarios/aims.ts'
import { CHECK_CONNECTIONS } from '../scenarios/checks.ts'
import type { Figure } from '../scenarios/figures.ts'
import type { Bench } from '../scenarios/scenario.ts'

/** Most devices that check, so that hardly one does so twice in a batch. */
const CHECKING = 100_000
/** Milliseconds until a change must be visible. */
const BOUND = 10_000

/**
 * Servers as users run them: two on a new database, and one on SQLite. How long the publication of a release takes, and
 * after its answer the other node to offer it; and update checks of a node, alternating with those of SQLite.
 */
export async function serverFigures(bench: Bench, url: string): Promise<Figure[]> {
  const { tidegate, workspace, seeds, scale } = bench
  const { manyDevices, fewReleases } = scale
  const devices = Math.min(CHECKING, manyDevices)
  const place = ['--database', url]
  const folders = [workspace.folder('one'), workspace.folder('two')] as const
  const key = await fill(tidegate, folders[0], devices, place)
  const pins = pinning()
  return await seeds.lend(devices, ({ folder }) =>
    pinned(pins, async () => {
      const one = await tidegate.serve(folders[0], pins?.server, place)
      const two = await tidegate.serve(folders[1], pins?.server, place)
      const publications: Publication[] = []
      for (let round = 0; round <= scale.rounds * 4; round++) {
        publications.push(await publication(one.port, two.port, key, round))
      }
      await two.stop()
      const sqlite = await tidegate.serve(folder, pins?.server)
      const next = randomChecks(APP, nameOf(fewReleases), devices, newestOf(fewReleases))
      const rounds = { postgres: [] as LoadResult[], sqlite: [] as LoadResult[] }
      const measure = (server: Listener, measureMs: number) => checksOf(server, next, measureMs)
      await measure(one, scale.warmUpMs)
      await measure(sqlite, scale.warmUpMs)
      for (let round = 0; round < scale.rounds; round++) {
        rounds.postgres.push(await measure(one, scale.measureMs))
        // A node that is paused for longer than its lease has to get it back.
        sqlite.resume()
        rounds.sqlite.push(await measure(sqlite, scale.measureMs))
        sqlite.pause()
      }
      sqlite.resume()
      await one.stop()
      await sqlite.stop()
      const counted = publications.slice(1)
      return [
        { what: 'publication', unit: 'ms', values: counted.map(({ answered }) => answered) },
        {
          what: 'on the other node after it',
          unit: 'ms',
          values: counted.map(({ answered, offered }) => Math.max(0, offered - answered)),
          aim: AIMS.otherNodeMs,
        },
        ...checkFigures(rounds.postgres, rounds.sqlite),
      ]
    }),
  )
}

function checkFigures(postgres: readonly LoadResult[], sqlite: readonly LoadResult[]): Figure[] {
  const perSecond = ({ perSecond }: LoadResult) => perSecond
  const perCpu = ({ perSecond, serverCpu }: LoadResult) => perSecond / serverCpu
  const base = { what: 'checks of SQLite', unit: 'req/s', values: sqlite.map(perSecond) }
  const baseCpu = { what: 'checks of SQLite', unit: 'req/CPU s', values: sqlite.map(perCpu) }
  return [
    { what: 'checks of a node', unit: 'req/s', values: postgres.map(perSecond), than: base },
    base,
    { what: 'checks of a node', unit: 'req/CPU s', values: postgres.map(perCpu), than: baseCpu },
    baseCpu,
  ]
}

function checksOf({ port, pid }: Listener, next: () => Uint8Array, measureMs: number) {
  const window = { leadInMs: 0, measureMs }
  return drive({ port, pid, next, expect: 204, connections: CHECK_CONNECTIONS, window })
}

/** Milliseconds from the call that publishes a release. */
interface Publication {
  readonly answered: number
  /** By the other node. */
  readonly offered: number
}

async function publication(
  port: number,
  other: number,
  key: string,
  round: number,
): Promise<Publication> {
  const version = `9.0.${round}`
  const artifacts = [
    { platform: 'linux', arch: 'x86_64', url: 'https://a.example/a', sha512: '0'.repeat(128) },
  ]
  const release = { app: APP, channel: 'half', version, rolloutPct: 100, artifacts }
  const began = performance.now()
  const time = () => performance.now() - began
  const published = drive({
    port,
    connections: 1,
    next: once(post('/api/v1/releases', key, release)),
    expect: 201,
  }).then(time)
  const address = `http://127.0.0.1:${other}/u/${APP}/half/linux/x86_64/1.0.0`
  for (;;) {
    const response = await fetch(address)
    const text = await response.text()
    if (text.includes(version)) break
    if (time() > BOUND) throw new Error(`${version} is not offered: ${text}`)
  }
  const offered = time()
  return { answered: await published, offered }
}

function once(request: Uint8Array): () => Uint8Array | undefined {
  let next: Uint8Array | undefined = request
  return () => {
    const sent = next
    next = undefined
    return sent
  }
}
