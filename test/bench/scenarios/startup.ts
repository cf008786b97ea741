import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { APP, nameOf } from '../fleet/releases.ts'
import { DEVICES_PER_CALL, fleetCalls, inTurn, randomChecks } from '../fleet/requests.ts'
import type { Data } from '../fleet/seeds.ts'
import { drive } from '../load/drive.ts'
import { showProgress } from '../output/progress.ts'
import type { Table } from '../output/table.ts'
import { Listener } from '../process/listener.ts'
import { residentMemory } from '../process/procfs.ts'
import { AIMS } from './aims.ts'
import { CHECK_CONNECTIONS } from './checks.ts'
import { FIGURE_COLUMNS, type Figure, figureRow } from './figures.ts'
import { FLEET_CONNECTIONS } from './fleet-rounds.ts'
import { REPORT } from './reports.ts'
import type { Bench } from './scenario.ts'

const BARE_SERVER = join(import.meta.dirname, '../bare-server.ts')
/** The threads of a server have ended by then, which they do after 30 s without a request, and their memory is given back. */
const IDLE_MS = 45_000

/** Time from spawn to the listening line, also after SIGKILL, resident memory, and what is on disk. */
export async function startup(bench: Bench): Promise<Table> {
  const { manyDevices } = bench.scale
  const node = await nodeItself(bench)
  const empty = await startOnEmptyFolders(bench)
  const figures = await bench.seeds.lend(manyDevices, async (data) => [
    node,
    { ...empty, than: node },
    { what: 'disk: data folder', unit: 'MB', values: [megabytesIn(data.folder)] },
    { ...(await startOnFullFolder(bench, data)), than: node },
    { ...(await startAfterKill(bench, data)), than: node },
    ...(await memoryOf(bench, data)),
  ])
  return {
    title: `Start-up, memory and disk: ${manyDevices} devices in the file`,
    columns: FIGURE_COLUMNS,
    rows: figures.map(figureRow),
    notes: ['Files are in the page cache. Memory: VmRSS, MB of 10^6 bytes. Nothing is pinned.'],
    details: figures.map(({ than: _, ...figure }) => figure),
  }
}

async function nodeItself({ workspace, scale }: Bench): Promise<Figure> {
  const file = workspace.path('reply.json')
  const reply = { status: 204, headers: {}, body: '', date: true, keepAliveMs: 5_000 }
  writeFileSync(file, JSON.stringify(reply))
  const values = await repeat(scale.rounds, async () => {
    const server = await Listener.start(workspace, { args: [BARE_SERVER, file] })
    await server.kill()
    return server.startMs
  })
  return { what: 'start: bare node:http', unit: 'ms', values }
}

async function startOnEmptyFolders({ workspace, tidegate, scale }: Bench): Promise<Figure> {
  showProgress('startup: empty folder')
  const values = await repeat(scale.rounds, async () => {
    const folder = workspace.folder('empty')
    const server = await tidegate.serve(folder)
    await server.stop()
    workspace.remove(folder)
    return server.startMs
  })
  return { what: 'start: empty folder', unit: 'ms', values }
}

async function startOnFullFolder({ tidegate, scale }: Bench, data: Data): Promise<Figure> {
  showProgress('startup: full folder')
  const values = await repeat(scale.rounds, async () => {
    const server = await tidegate.serve(data.folder)
    await server.stop()
    return server.startMs
  })
  return { what: 'start: full folder', unit: 'ms', values }
}

async function startAfterKill({ tidegate, scale }: Bench, data: Data): Promise<Figure> {
  showProgress('startup: after SIGKILL under report load')
  const calls = fleetCalls(REPORT, data.key, scale.manyDevices)
  let acknowledged = 0
  const values = await repeat(scale.rounds, async () => {
    const server = await tidegate.serve(data.folder)
    const { port } = server
    const load = drive({
      port,
      next: inTurn(calls),
      expect: 200,
      connections: FLEET_CONNECTIONS,
      window: { leadInMs: 0, measureMs: scale.measureMs * 10 },
      onReply: () => {
        acknowledged += DEVICES_PER_CALL
      },
    })
    const over = load.catch(() => undefined)
    await sleep(scale.measureMs)
    await server.kill()
    await over
    const again = await tidegate.serve(data.folder)
    await again.stop()
    return again.startMs
  })
  if (acknowledged === 0) throw new Error('no report was acknowledged before SIGKILL')
  return { what: 'start: after SIGKILL under reports', unit: 'ms', values }
}

async function memoryOf({ tidegate, scale }: Bench, data: Data): Promise<Figure[]> {
  const figures: Figure[] = []
  const storm = { leadInMs: 0, measureMs: scale.measureMs * 3 }
  const note = (what: string, { pid }: Listener, than?: Figure) => {
    const { now, peak } = residentMemory(pid)
    const memory = { unit: 'MB', aim: AIMS.residentMegabytes } as const
    figures.push({ what: `memory: ${what}`, values: [now], ...memory, ...(than && { than }) })
    if (than) figures.push({ what: `memory: ${what}, peak`, values: [peak], ...memory, than })
  }

  const checked = await tidegate.serve(data.folder)
  await sleep(IDLE_MS)
  note('idle', checked)
  const [idle] = figures
  showProgress('startup: check storm')
  const check = randomChecks(APP, nameOf(scale.fewReleases), scale.manyDevices)
  const checkLoad = { port: checked.port, next: check, expect: 200, window: storm }
  await drive({ ...checkLoad, connections: CHECK_CONNECTIONS })
  note('after a check storm', checked, idle)
  await checked.stop()

  const before = megabytesIn(data.folder)
  let checkIns = 0
  const onReply = () => {
    checkIns += DEVICES_PER_CALL
  }
  const reported = await tidegate.serve(data.folder)
  showProgress('startup: report storm')
  const next = inTurn(fleetCalls(REPORT, data.key, scale.manyDevices))
  const reportLoad = { port: reported.port, next, expect: 200, window: storm, onReply }
  await drive({ ...reportLoad, connections: FLEET_CONNECTIONS })
  note('after a report storm', reported, idle)
  await reported.stop()
  const grown = megabytesIn(data.folder) - before
  figures.push({
    what: 'disk: a million check-ins',
    unit: 'MB',
    values: [(grown / checkIns) * 1e6],
  })
  return figures
}

/** Returns the megabytes of 10^6 bytes in the files of a folder. */
function megabytesIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  const bytes = files
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => statSync(join(parentPath, name)).size)
  return bytes.reduce((sum, size) => sum + size, 0) / 1e6
}

async function repeat(times: number, once: () => Promise<number>): Promise<number[]> {
  const values: number[] = []
  for (let i = 0; i < times; i += 1) values.push(await once())
  return values
}
