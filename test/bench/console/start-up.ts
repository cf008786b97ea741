import { cpSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Seeds } from '../fleet/seeds.ts'
import { showProgress } from '../output/progress.ts'
import type { Table } from '../output/table.ts'
import { Tidegate } from '../process/tidegate.ts'
import type { Workspace } from '../process/workspace.ts'
import { FIGURE_COLUMNS, type Figure, figureRow } from '../scenarios/figures.ts'
import { type Start, startConsole, startEmpty } from './launch.ts'
import type { AppMemory } from './process-tree.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const PARTS: readonly (keyof AppMemory)[] = ['main', 'server', 'page', 'engine']

type Starts = Record<'empty' | 'cold' | 'full', Start[]>

/** Measures the time until the overview is visible, and the memory that the console keeps. */
export async function measureStartUp(
  workspace: Workspace,
  runs: number,
  devices: number,
): Promise<Table[]> {
  const seeded = await seedFolder(workspace, devices)
  const starts: Starts = { empty: [], cold: [], full: [] }
  for (let run = 1; run <= runs; run += 1) {
    showProgress(`start-up, run ${run} of ${runs}`)
    starts.empty.push(await startEmpty(workspace.folder('empty')))
    starts.cold.push(await startConsole(workspace.folder('cold'), 'First steps'))
    starts.full.push(await startConsole(seeded, 'Devices, 24 hours'))
  }
  return tablesOf(starts, devices)
}

function tablesOf(starts: Starts, devices: number): Table[] {
  const time = (what: string, of: readonly Start[], than?: Figure): Figure => {
    return { what, unit: 'ms', values: of.map(({ ms }) => ms), ...(than && { than }) }
  }
  const bare = time('an empty page', starts.empty)
  const times = [
    bare,
    time('the overview, new folder', starts.cold, bare),
    time(`the overview, ${devices} devices`, starts.full, bare),
  ]
  const memory = [
    ...memoryFigures('an empty page', starts.empty),
    ...memoryFigures('new folder', starts.cold),
    ...memoryFigures(`${devices} devices`, starts.full),
  ]
  const columns = FIGURE_COLUMNS.filter(({ name }) => name !== 'of aim')
  return [
    {
      title: 'Start-up',
      columns,
      rows: times.map(figureRow),
      notes: ['From the start of the process until it is visible; files are in the page cache.'],
    },
    {
      title: 'Memory',
      columns: columns.filter(({ name }) => name !== 'ratio' && name !== 'to'),
      rows: memory.map(figureRow),
      notes: ['VmRSS, MB of 10^6 bytes, once it is at rest. What processes share counts in each.'],
    },
  ]
}

function memoryFigures(of: string, measured: readonly Start[]): Figure[] {
  const known = measured.flatMap(({ memory }) => (memory === undefined ? [] : [memory]))
  if (known.length === 0) return []
  const parts = PARTS.map((part) => {
    return { what: `${of}: ${part}`, unit: 'MB', values: known.map((memory) => memory[part]) }
  })
  return parts.filter(({ values: found }) => found.some((value) => value > 0))
}

/** A folder of the desktop app whose server knows many devices. */
async function seedFolder(workspace: Workspace, devices: number): Promise<string> {
  const tidegate = new Tidegate(workspace, join(ROOT, 'src/server/cli.ts'))
  const folder = workspace.folder('full')
  await new Seeds(workspace, tidegate).lend(devices, async (data) =>
    cpSync(data.folder, join(folder, 'data'), { recursive: true }),
  )
  return folder
}
