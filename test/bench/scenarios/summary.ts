import { execFileSync } from 'node:child_process'
import { APP } from '../fleet/releases.ts'
import { showProgress } from '../output/progress.ts'
import type { Table } from '../output/table.ts'
import { AIMS } from './aims.ts'
import { FIGURE_COLUMNS, type Figure, figureRow } from './figures.ts'
import type { Bench } from './scenario.ts'

const NODE_BOUND_MS = 30_000

/** The fleet summary from the command line: the entire command, and the time that it reports. */
export async function summary({ seeds, tidegate, scale }: Bench): Promise<Table> {
  const node: Figure = { what: 'node -e ""', unit: 'ms', values: times(scale.rounds, emptyNode) }
  const whole: number[] = []
  const inside: number[] = []
  await seeds.lend(scale.manyDevices, async ({ folder }) => {
    showProgress('summary')
    for (let i = 0; i < scale.rounds; i += 1) {
      const { stdout, ms } = await tidegate.command(folder, 'fleet', 'summary', APP, '--json')
      whole.push(ms)
      const { queryMs } = JSON.parse(stdout) as { queryMs?: unknown }
      if (typeof queryMs === 'number') inside.push(queryMs)
    }
  })
  const figures: Figure[] = [
    node,
    { what: 'fleet summary --json', unit: 'ms', values: whole, than: node },
  ]
  const query = { what: 'its queryMs', unit: 'ms', values: inside, aim: AIMS.summaryMs }
  if (inside.length > 0) figures.push(query)
  return {
    title: `Fleet summary from the command line: ${scale.manyDevices} devices`,
    columns: FIGURE_COLUMNS,
    rows: figures.map(figureRow),
    notes: inside.length > 0 ? [] : ['The answer has no queryMs: the start of Node dominates.'],
    details: figures.map(({ than: _, ...figure }) => figure),
  }
}

function emptyNode(): number {
  const began = performance.now()
  execFileSync(process.execPath, ['-e', ''], { timeout: NODE_BOUND_MS })
  return performance.now() - began
}

function times(count: number, once: () => number): number[] {
  return Array.from({ length: count }, once)
}
