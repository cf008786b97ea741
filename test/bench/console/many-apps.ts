import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  DEFAULT_SETTINGS,
  type ServerSettings,
} from '../../../src/shared/console/settings/settings.ts'
import { openConsole, type ReleaseConsole } from '../../e2e/support/console.ts'
import { freePort } from '../../support/processes/ports.ts'
import { median, medianOf } from '../output/median.ts'
import { showProgress } from '../output/progress.ts'
import type { Table } from '../output/table.ts'
import type { Workspace } from '../process/workspace.ts'
import { type Action, LOOKING, OPENING, TYPING } from './actions.ts'
import { fillCatalog, whileDevicesCheckIn } from './catalog.ts'
import type { Felt } from './long-tasks.ts'

/** The longest that a task may take, in milliseconds: what takes longer can be felt. */
const AIM = 50

/**
 * Measures how the console feels with many apps while devices check in: the long tasks of the page, and the time to
 * open a screen. Only the actions whose name contains `only`.
 */
export async function measureManyApps(
  workspace: Workspace,
  runs: number,
  apps: number,
  only: string,
): Promise<Table[]> {
  const opened = await openWithoutLimits(workspace.folder('apps'))
  try {
    showProgress(`creating ${apps} apps`)
    await opened.page.getByRole('heading', { name: 'First steps' }).waitFor()
    await fillCatalog(opened, apps)
    return await whileDevicesCheckIn(opened.address, async () => {
      const tables: Table[] = []
      for (const { title, actions } of PARTS) {
        const wanted = actions.filter(({ what }) => what.includes(only))
        if (wanted.length === 0) continue
        tables.push(await measure(opened, `${title}, ${apps} apps`, wanted, runs))
      }
      return tables
    })
  } finally {
    await opened.close()
  }
}

const PARTS = [
  { title: 'Opening a screen', actions: OPENING },
  { title: 'Typing', actions: TYPING },
  { title: 'Looking for 10 s', actions: LOOKING },
]

async function measure(
  { page }: ReleaseConsole,
  title: string,
  actions: readonly Action[],
  runs: number,
): Promise<Table> {
  const results = new Map<string, Felt[]>(actions.map(({ what }) => [what, []]))
  for (let run = 1; run <= runs; run += 1) {
    for (const action of actions) {
      showProgress(`${title}, run ${run} of ${runs}: ${action.what}`)
      results.get(action.what)?.push(await action.do(page))
    }
  }
  return {
    title,
    columns: [
      { name: 'what' },
      { name: 'ms' },
      { name: 'long tasks' },
      { name: 'sum, ms' },
      { name: 'worst, ms' },
      { name: 'of aim', decimals: 2 },
    ],
    rows: [...results].map(([what, felt]) => rowOf(what, felt)),
    notes: [
      `Medians of ${runs} runs; the worst task is that of all runs. The aim is ${AIM} ms a task.`,
      'Ten devices check in each second meanwhile.',
    ],
  }
}

function rowOf(what: string, felt: readonly Felt[]) {
  const times = felt.flatMap(({ ms }) => (ms === undefined ? [] : [ms]))
  const worst = Math.max(0, ...felt.flatMap(({ longTasks }) => longTasks))
  return {
    what,
    ms: times.length === 0 ? undefined : median(times),
    'long tasks': medianOf(felt, ({ longTasks }) => longTasks.length),
    'sum, ms': medianOf(felt, ({ longTasks }) => longTasks.reduce((sum, task) => sum + task, 0)),
    'worst, ms': worst,
    'of aim': worst / AIM,
  }
}

/** What is measured is the page, so the server lets every check-in pass. */
async function openWithoutLimits(userData: string): Promise<ReleaseConsole> {
  const { security } = DEFAULT_SETTINGS
  const port = await freePort()
  const settings: ServerSettings = {
    ...DEFAULT_SETTINGS,
    address: { host: '127.0.0.1', port },
    security: { ...security, limits: { device: 0, key: 0, rejectedKey: 0 } },
  }
  writeFileSync(join(userData, 'settings.json'), JSON.stringify(settings))
  return await openConsole({ userData, port, keepSettings: true, reducedMotion: true })
}
