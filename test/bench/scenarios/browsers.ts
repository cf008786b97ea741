import { setTimeout } from 'node:timers/promises'
import { createServer } from '../../../src/server/server.ts'
import { makeLargeFleet } from '../../support/builders/large-fleet.ts'
import { LARGE_APP } from '../../support/builders/large-fleet-plan.ts'
import { PASSWORD } from '../../support/builders/passwords.ts'
import { ConsoleBrowser } from '../console-browser.ts'
import { clicks } from '../console-clicks.ts'
import { drive, type LoadResult } from '../load/drive.ts'
import { showProgress } from '../output/progress.ts'
import type { Table } from '../output/table.ts'
import type { Listener } from '../process/listener.ts'
import type { Scale } from '../scale.ts'
import { AIMS } from './aims.ts'
import { CHECK_CONNECTIONS } from './checks.ts'
import { checksOf, publishEverywhere } from './console-queries.ts'
import { FIGURE_COLUMNS, type Figure, figureRow } from './figures.ts'
import type { Bench } from './scenario.ts'

/** People who watch the fleet at the same time. */
const BROWSERS = 20
const TOKEN = /#\/link\/([\w-]+)/

/** Update checks beside signed-in browsers with live feeds, and the queries of the screens over HTTP. */
export async function browsers({ workspace, tidegate, scale }: Bench): Promise<Table> {
  const devices = scale.manyDevices
  const folder = workspace.folder('browsers')
  showProgress(`browsers: making ${devices} devices`)
  await makeLargeFleet(folder, { devices, end: Date.now(), checkIns: devices, auditEntries: 1_000 })
  const once = await createServer({ dataFolder: folder, port: 0 }).start()
  await publishEverywhere(once)
  await once.stop()
  const server = await tidegate.serve(folder, undefined, ['--console', 'loopback'])
  const link = await tidegate.command(folder, 'person', 'invite', 'Ada', '--role', 'administrator')
  const people = await signIn(`http://127.0.0.1:${server.port}`, TOKEN.exec(link.stdout)?.[1] ?? '')
  const figures = [
    ...(await queries(people, scale)),
    ...(await checksBeside(people, server, scale)),
  ]
  await server.stop()
  return {
    title: `Console in browsers: ${devices} devices, ${BROWSERS} browsers that watch the fleet`,
    columns: FIGURE_COLUMNS,
    rows: figures.map(figureRow),
    notes: [
      'Queries: over HTTP, one at a time; the first of each is not counted.',
      `Checks: ${CHECK_CONNECTIONS} connections, a random device each, without and with the browsers in turns; nothing is pinned.`,
    ],
    details: figures.map(({ than: _, ...figure }) => figure),
  }
}

async function signIn(origin: string, token: string): Promise<ConsoleBrowser[]> {
  showProgress('browsers: signing in')
  // The server follows the command line by looking ten times a second.
  await setTimeout(1_000)
  const first = await ConsoleBrowser.signIn(origin, 'acceptLink', { token, password: PASSWORD })
  const people = [first]
  const person = { name: 'Ada', password: PASSWORD }
  while (people.length < BROWSERS) {
    people.push(await ConsoleBrowser.signIn(origin, 'signIn', person, first))
  }
  return people
}

async function queries([person]: readonly ConsoleBrowser[], { rounds }: Scale): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const { what, path, input } of clicks()) {
    showProgress(`browsers: ${what}`)
    const values: number[] = []
    for (let round = 0; round <= rounds * 2; round++) {
      const began = performance.now()
      await person?.ask(path, input())
      values.push(performance.now() - began)
    }
    figures.push({ what, unit: 'ms', values: values.slice(1), aim: AIMS.consoleMs })
  }
  return figures
}

async function checksBeside(
  people: readonly ConsoleBrowser[],
  { port, pid }: Listener,
  scale: Scale,
): Promise<Figure[]> {
  const next = checksOf(scale.manyDevices)
  const load = { port, pid, next, expect: 200, connections: CHECK_CONNECTIONS }
  const round = (measureMs: number) =>
    drive({ ...load, window: { leadInMs: scale.leadInMs, measureMs } })
  const [alone, beside]: [LoadResult[], LoadResult[]] = [[], []]
  await round(scale.warmUpMs)
  for (let i = 0; i < scale.rounds; i += 1) {
    showProgress(`browsers: checks, round ${i + 1}`)
    alone.push(await round(scale.measureMs))
    const ends = await Promise.all(people.map((person) => person.watch(LARGE_APP)))
    beside.push(await round(scale.measureMs))
    for (const end of ends) end()
  }
  const figure = (what: string, unit: string, of: (result: LoadResult) => number): Figure[] => {
    const without = { what: `checks: ${what}`, unit, values: alone.map(of) }
    return [
      without,
      { what: `checks: ${what}, browsers`, unit, values: beside.map(of), than: without },
    ]
  }
  return [
    ...figure('p50', 'ms', ({ p50 }) => p50),
    ...figure('p99', 'ms', ({ p99 }) => p99),
    ...figure('a second', '1/s', ({ perSecond }) => perSecond),
  ]
}
