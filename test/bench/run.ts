import { writeFileSync } from 'node:fs'
import { against } from './against/against.ts'
import { checkOut } from './against/checkout.ts'
import { isSlower } from './against/pair.ts'
import { Seeds } from './fleet/seeds.ts'
import { readOptions, usage } from './options.ts'
import { machine } from './output/machine.ts'
import { showProgress } from './output/progress.ts'
import { render, type Table } from './output/table.ts'
import { Tidegate } from './process/tidegate.ts'
import { Workspace } from './process/workspace.ts'
import { browsers } from './scenarios/browsers.ts'
import { checks } from './scenarios/checks.ts'
import { consoleQueries } from './scenarios/console-queries.ts'
import { decisions } from './scenarios/decisions.ts'
import { devices } from './scenarios/devices.ts'
import { downloads } from './scenarios/downloads.ts'
import { feeds } from './scenarios/feeds.ts'
import { growth } from './scenarios/growth.ts'
import { metrics } from './scenarios/metrics.ts'
import { nodes } from './scenarios/nodes.ts'
import { reports } from './scenarios/reports.ts'
import type { Bench, Scenario } from './scenarios/scenario.ts'
import { startup } from './scenarios/startup.ts'
import { summary } from './scenarios/summary.ts'

const SCENARIOS: ReadonlyMap<string, Scenario> = new Map([
  ['checks', checks],
  ['feeds', feeds],
  ['metrics', metrics],
  ['reports', reports],
  ['decisions', decisions],
  ['downloads', downloads],
  ['startup', startup],
  ['summary', summary],
  ['devices', devices],
  ['console', consoleQueries],
  ['growth', growth],
  ['browsers', browsers],
  ['nodes', nodes],
])

// The console's page is not measured here, and is built at the first start. Older commits do not know the variable.
process.env.TIDEGATE_CONSOLE ??= 'off'

function optionsOrExit() {
  const names = [...SCENARIOS.keys()]
  try {
    const options = readOptions(process.argv.slice(2), names)
    if (!options.help) return options
    process.stdout.write(usage(names))
    process.exit(0)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    process.exit(2)
  }
}

const options = optionsOrExit()
const workspace = new Workspace()
process.on('exit', () => workspace.dispose())
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const) {
  process.once(signal, () => process.exit(code))
}
setTimeout(() => {
  showProgress(`gave up after ${options.scale.boundMs / 60_000} minutes`)
  process.exit(1)
}, options.scale.boundMs).unref()

function benchOf(cli: string): Bench {
  const tidegate = new Tidegate(workspace, cli)
  const seeds = new Seeds(workspace, tidegate)
  return { workspace, tidegate, seeds, scale: options.scale, only: options.only }
}

const bench = benchOf(options.cli)
const other = options.against === null ? null : checkOut(options.against)
const sides = other && { here: bench, there: benchOf(other.cli) }
const startedAt = new Date().toISOString()
const results: Record<string, Partial<Table> | { error: string }> = {}

process.stdout.write(`${machine()}${options.quick ? ', a quick run' : ''}\n\n`)
for (const name of options.scenarios) {
  try {
    const scenario = SCENARIOS.get(name)
    if (scenario === undefined) continue
    const table = await (sides && other
      ? against(sides, name, scenario, other.commit)
      : scenario(bench))
    const { title, rows, notes, details } = table
    results[name] = { title, rows, notes, ...(details && { details }) }
    process.stdout.write(render(table))
    for (const row of table.rows) {
      if (options.least === null || !isSlower(row, options.least)) continue
      const what = other === null ? 'the bare server' : `${other.commit}: ${row.what}, ${row.unit}`
      showProgress(`below ${options.least} of ${what}`)
      process.exitCode = 1
    }
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    results[name] = { error: text }
    showProgress(`${name} failed: ${text}`)
    process.exitCode = 1
    workspace.killAll()
  }
}
const { quick, scale } = options
const report = { machine: machine(), startedAt, quick, scale, results }
writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`)
showProgress(`figures in ${options.json}`)
process.exit()
