/**
 * Measures the built console: the time until its overview is visible, and its memory.
 * `npm run bench:console [-- --runs 5 --devices 100000 --no-build]`.
 */
import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { chooseRuntime } from '../e2e/runtime.ts'
import { type Start, startConsole, startEmpty } from './console/launch.ts'
import type { AppMemory } from './console/process-tree.ts'
import { Seeds } from './fleet/seeds.ts'
import { machine } from './output/machine.ts'
import { showProgress } from './output/progress.ts'
import { render } from './output/table.ts'
import { Tidegate } from './process/tidegate.ts'
import { Workspace } from './process/workspace.ts'
import { FIGURE_COLUMNS, type Figure, figureRow } from './scenarios/figures.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const BOUND_MS = 30 * 60_000
const PARTS: readonly (keyof AppMemory)[] = ['main', 'server', 'page', 'engine']

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    devices: { type: 'string', default: '100000' },
    'no-build': { type: 'boolean', default: false },
  },
})
const runs = positive('runs', values.runs)
const devices = positive('devices', values.devices)
const workspace = new Workspace()
process.on('exit', () => workspace.dispose())
setTimeout(() => {
  showProgress(`gave up after ${BOUND_MS / 60_000} minutes`)
  process.exit(1)
}, BOUND_MS).unref()

const runtime = chooseRuntime()
// Playwright uses it to find the executable.
process.env.ELECTRON_OVERRIDE_DIST_PATH = runtime.folder
process.stdout.write(`${machine()}\non ${runtime.name}\n\n`)
if (!values['no-build']) build()

const seeded = await seedFolder()
const starts: Record<'empty' | 'cold' | 'full', Start[]> = { empty: [], cold: [], full: [] }
for (let run = 1; run <= runs; run += 1) {
  showProgress(`run ${run} of ${runs}`)
  starts.empty.push(await startEmpty(workspace.folder('empty')))
  starts.cold.push(await startConsole(workspace.folder('cold'), 'First steps'))
  starts.full.push(await startConsole(seeded, 'Devices, 24 hours'))
}
report()
process.exit()

function report(): void {
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
  const notes = ['From the start of the process until it is visible; files are in the page cache.']
  process.stdout.write(render({ title: 'Start-up', columns, rows: times.map(figureRow), notes }))
  const plain = columns.filter(({ name }) => name !== 'ratio' && name !== 'to')
  process.stdout.write(
    render({
      title: 'Memory',
      columns: plain,
      rows: memory.map(figureRow),
      notes: ['VmRSS, MB of 10^6 bytes, once it is at rest. What processes share counts in each.'],
    }),
  )
}

function memoryFigures(of: string, measured: readonly Start[]): Figure[] {
  const known = measured.flatMap(({ memory }) => (memory === undefined ? [] : [memory]))
  if (known.length === 0) return []
  const parts = PARTS.map((part) => {
    return { what: `${of}: ${part}`, unit: 'MB', values: known.map((memory) => memory[part]) }
  })
  return parts.filter(({ values: found }) => found.some((value) => value > 0))
}

/** A folder of the desktop app with many devices. */
async function seedFolder(): Promise<string> {
  const tidegate = new Tidegate(workspace, join(ROOT, 'src/server/cli.ts'))
  const folder = workspace.folder('full')
  await new Seeds(workspace, tidegate).lend(devices, async (data) =>
    cpSync(data.folder, join(folder, 'data'), { recursive: true }),
  )
  return folder
}

function build(): void {
  const tool = join(ROOT, 'node_modules/electron-vite/bin/electron-vite.js')
  const args = [tool, 'build', '--logLevel', 'warn']
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

function positive(name: string, text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && value > 0) return value
  process.stderr.write(`--${name}: a whole number above 0, not "${text}"\n`)
  process.exit(2)
}
