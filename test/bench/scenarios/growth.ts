import type { RunningServer } from '../../../src/server/compose/running-server.ts'
import { forPrincipal } from '../../../src/server/console/context.ts'
import { desktopPrincipal } from '../../../src/server/console/procedures.ts'
import { consoleRouter } from '../../../src/server/console/router.ts'
import { createServer } from '../../../src/server/server.ts'
import { openStorage } from '../../../src/server/storage/open-storage.ts'
import { makeLargeFleet } from '../../support/builders/large-fleet.ts'
import { CHANNELS, LARGE_APP } from '../../support/builders/large-fleet-plan.ts'
import { askerOf } from '../console-asker.ts'
import { clicks } from '../console-clicks.ts'
import { drive } from '../load/drive.ts'
import { showProgress } from '../output/progress.ts'
import type { Table } from '../output/table.ts'
import type { Listener } from '../process/listener.ts'
import { residentMemory } from '../process/procfs.ts'
import { CHECK_CONNECTIONS } from './checks.ts'
import { artifactsEverywhere, checksOf } from './console-queries.ts'
import { FIGURE_COLUMNS, type Figure, figureRow } from './figures.ts'
import type { Bench } from './scenario.ts'

const DAY = 86_400_000
/** Days that check-ins are kept unless a setting says otherwise. */
const KEPT_DAYS = 90

/** How long a server has been used; each device asks once a day. */
interface Use {
  readonly what: string
  readonly days: number
  readonly channels: number
  readonly releasesEach: number
  readonly auditEntries: number
}

const USES: readonly Use[] = [
  { what: 'a month', days: 30, channels: 3, releasesEach: 11, auditEntries: 2_000 },
  { what: 'a year', days: 365, channels: 40, releasesEach: 10, auditEntries: 24_000 },
]

/** Values of what was measured on the one side and on the other. */
class Pairs {
  readonly #values = new Map<string, { unit: string; sides: number[][] }>()

  note(what: string, unit: string, side: number, value: number): void {
    const pair = this.#values.get(what) ?? { unit, sides: USES.map(() => []) }
    this.#values.set(what, pair)
    pair.sides[side]?.push(value)
  }

  figures(): Figure[] {
    return [...this.#values].flatMap(([what, { unit, sides }]) => {
      const [before, after] = USES.map((use, side) => ({
        what: `${what}, ${use.what}`,
        unit,
        values: sides[side] ?? [],
      }))
      return before && after ? [before, { ...after, than: before }] : []
    })
  }
}

/** What takes longer after a year of use than after a month: the same devices, round by round on both. */
export async function growth(bench: Bench): Promise<Table> {
  const { workspace, scale } = bench
  const pairs = new Pairs()
  const folders: string[] = []
  for (const use of USES) {
    showProgress(`growth: making ${use.what}`)
    const folder = workspace.folder(use.what.replace(' ', '-'))
    await make(folder, use, scale.manyDevices)
    folders.push(folder)
  }
  await processes(bench, folders, pairs)
  await screens(folders, scale.rounds, pairs)
  for (const [side, folder] of folders.entries()) await retention(folder, side, pairs)
  const figures = pairs.figures()
  return {
    title: `A year of use beside a month: ${scale.manyDevices} devices, each asking once a day`,
    columns: FIGURE_COLUMNS,
    rows: figures.map(figureRow),
    notes: USES.map(
      ({ what, days, channels, releasesEach, auditEntries }) =>
        `After ${what}: ${scale.manyDevices * days} check-ins, of which those of ${Math.min(days, KEPT_DAYS)} days are in the log, ${channels * releasesEach} releases on ${channels} channels, ${auditEntries} audit entries.`,
    ),
    details: figures.map(({ than: _, ...figure }) => figure),
  }
}

async function make(folder: string, use: Use, devices: number): Promise<void> {
  await makeLargeFleet(folder, {
    ...{ devices, end: Date.now(), auditEntries: use.auditEntries },
    checkIns: devices * use.days,
    olderEach: Math.min(use.days, KEPT_DAYS) - 1,
  })
  const server = await createServer({ dataFolder: folder, port: 0 }).start()
  try {
    const { channels, releases } = consoleRouter.createCaller(
      forPrincipal(server.consoleContext, desktopPrincipal()),
    )
    const more = Array.from({ length: use.channels - CHANNELS.length }, (_, at) => `branch-${at}`)
    for (const name of more) await channels.create({ app: LARGE_APP, name })
    for (const channel of [...CHANNELS, ...more]) {
      for (let at = 0; at < use.releasesEach; at += 1) {
        const version = `2.0.${at}`
        await releases.publish({
          app: LARGE_APP,
          channel,
          version,
          artifacts: artifactsEverywhere(),
        })
      }
    }
  } finally {
    await server.stop()
  }
}

/** The start, memory, a check's processor time, and a backup, each by a server of its own. */
async function processes(
  { tidegate, workspace, scale }: Bench,
  folders: readonly string[],
  pairs: Pairs,
): Promise<void> {
  const next = checksOf(scale.manyDevices)
  const load = { next, expect: 200, connections: CHECK_CONNECTIONS }
  for (let round = 0; round < scale.rounds; round += 1) {
    showProgress(`growth: start, checks and backup, round ${round + 1}`)
    const servers: Listener[] = []
    for (const [side, folder] of folders.entries()) {
      const server = await tidegate.serve(folder)
      pairs.note('start', 'ms', side, server.startMs)
      pairs.note('memory, idle', 'MB', side, residentMemory(server.pid).now)
      servers.push(server)
    }
    for (const { port, pid } of servers) {
      await drive({ ...load, port, pid, window: { leadInMs: 0, measureMs: scale.warmUpMs / 4 } })
    }
    for (const [side, { port, pid }] of servers.entries()) {
      const window = { leadInMs: scale.leadInMs, measureMs: scale.measureMs }
      const { serverCpu, perSecond } = await drive({ ...load, port, pid, window })
      pairs.note('check, processor time', 'µs', side, (serverCpu / perSecond) * 1e6)
    }
    for (const [side, folder] of folders.entries()) {
      const copy = workspace.path(`backup-${round}-${side}.db`)
      const { ms } = await tidegate.command(folder, 'backup', copy)
      pairs.note('backup', 'ms', side, ms)
      workspace.remove(copy)
    }
    for (const server of servers) await server.stop()
  }
}

/** What the console asks. */
async function screens(folders: readonly string[], rounds: number, pairs: Pairs): Promise<void> {
  const servers: RunningServer[] = []
  try {
    for (const dataFolder of folders) {
      servers.push(await createServer({ dataFolder, port: 0 }).start())
    }
    const releases = { app: LARGE_APP, channel: 'stable' }
    const queries = [
      ...clicks(),
      { what: 'releases', path: 'releases.list', input: () => releases },
    ]
    const asked = servers.map(askerOf)
    for (const { what, path, input } of queries) {
      showProgress(`growth: ${what}`)
      for (let round = 0; round <= rounds * 2; round += 1) {
        const given = input()
        for (const [side, ask] of asked.entries()) {
          const began = performance.now()
          await ask(path, given)
          if (round > 0) pairs.note(what, 'ms', side, performance.now() - began)
        }
      }
    }
  } finally {
    for (const server of servers) await server.stop()
  }
}

/** The deletion of the oldest check-ins, in steps of equal size. */
async function retention(dataFolder: string, side: number, pairs: Pairs): Promise<void> {
  showProgress('growth: retention')
  const storage = await openStorage({ dataFolder })
  const now = Date.now()
  const fleet = await storage.openFleet({
    onFailure: (error) => showProgress(String(error)),
    clock: () => now,
  })
  try {
    let began = performance.now()
    for await (const _ of fleet.retainCheckIns({ before: now - (KEPT_DAYS - 2) * DAY, now })) {
      pairs.note('retention, a step', 'ms', side, performance.now() - began)
      began = performance.now()
    }
  } finally {
    await fleet.stop()
    await storage.close()
  }
}
