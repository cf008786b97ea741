/**
 * Measures the built console. `start`: the time until its overview is visible, and the memory that it keeps.
 * `apps`: how it feels with many apps, long notes and devices that check in: long tasks and the time to open a screen.
 * `journeys`: clicks, fields and seconds until a release is published. `line`: the first screen over a slow line, and the way
 * from screen to screen. Both fail if something takes more than it may; times may take `--slack` times as long.
 * `npm run bench:console [-- start apps journeys line --runs 5 --devices 100000 --apps 300 --only TEXT --no-build]`.
 */
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { chooseRuntime } from '../e2e/runtime.ts'
import { measureJourneys } from './console/journeys.ts'
import { measureManyApps } from './console/many-apps.ts'
import { measureSlowLine } from './console/slow-line.ts'
import { measureStartUp } from './console/start-up.ts'
import { machine } from './output/machine.ts'
import { showProgress } from './output/progress.ts'
import { render, type Table } from './output/table.ts'
import { Workspace } from './process/workspace.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const BOUND_MS = 60 * 60_000
const PARTS = ['start', 'apps', 'journeys', 'line']

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '5' },
    devices: { type: 'string', default: '100000' },
    apps: { type: 'string', default: '300' },
    only: { type: 'string', default: '' },
    slack: { type: 'string', default: '1' },
    'no-build': { type: 'boolean', default: false },
  },
})
const runs = positive('runs', values.runs)
const devices = positive('devices', values.devices)
const apps = positive('apps', values.apps)
const unknown = positionals.find((name) => !PARTS.includes(name))
if (unknown !== undefined) refuse(`no part "${unknown}": ${PARTS.join(', ')}`)
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

if (isWanted('start')) show(await measureStartUp(workspace, runs, devices))
if (isWanted('apps')) show(await measureManyApps(workspace, runs, apps, values.only))
const tooMuch: string[] = []
if (isWanted('journeys')) {
  const measured = await measureJourneys()
  show([measured.table])
  tooMuch.push(...measured.tooMuch)
}
if (isWanted('line')) {
  const measured = await measureSlowLine(runs, positive('slack', values.slack))
  show(measured.tables)
  tooMuch.push(...measured.tooMuch)
}
for (const what of tooMuch) process.stderr.write(`too much: ${what}\n`)
process.exit(tooMuch.length === 0 ? 0 : 1)

function isWanted(part: string): boolean {
  return positionals.length === 0 || positionals.includes(part)
}

function show(tables: readonly Table[]): void {
  for (const table of tables) process.stdout.write(render(table))
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
  return refuse(`--${name}: a whole number above 0, not "${text}"`)
}

function refuse(reason: string): never {
  process.stderr.write(`${reason}\n`)
  process.exit(2)
}
