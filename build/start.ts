import { spawn, spawnSync } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { findElectronBinary } from './electron-binary.ts'
import { buildIsStale, planStart } from './start-plan.ts'

// `npm start`: opens the console, or runs the server alone where the console cannot be shown. What
// is given after `--` reaches either.

const ROOT = join(import.meta.dirname, '..')
const args = process.argv.slice(2)
const plan = planStart({
  platform: process.platform,
  binary: findElectronBinary({
    packageFolder: join(ROOT, 'node_modules/electron'),
    platform: process.platform,
    override: process.env.ELECTRON_OVERRIDE_DIST_PATH,
  }),
  env: process.env,
})

if (plan.kind === 'console') {
  if (needsBuild()) build()
  openConsole(plan.binary)
} else {
  process.stderr.write(`Running the server without the console: ${plan.reason}.\n`)
  await runServer()
}

function needsBuild(): boolean {
  const built = changedAt('out/main/index.js')
  const sources = globSync(['src/**/*.*', 'package.json', 'electron.vite.config.ts'], { cwd: ROOT })
  return buildIsStale(
    built,
    sources.map((file) => changedAt(file) ?? 0),
  )
}

function changedAt(file: string): number | undefined {
  return statSync(join(ROOT, file), { throwIfNoEntry: false })?.mtimeMs
}

function build(): void {
  const tool = join(ROOT, 'node_modules/electron-vite/bin/electron-vite.js')
  const { status } = spawnSync(process.execPath, [tool, 'build', '--logLevel', 'warn'], {
    cwd: ROOT,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}

function openConsole(binary: string): void {
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env
  const child = spawn(binary, ['.', ...args], {
    cwd: ROOT,
    env,
    stdio: 'inherit',
    // In a group of its own: a terminal would send Ctrl-C to it as well, and Chromium takes the
    // second signal for impatience and quits without closing.
    detached: process.platform !== 'win32',
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => child.kill(signal))
  }
  child.on('error', (error) => {
    process.stderr.write(`The console cannot be started: ${error.message}\n`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal]))
  })
}

/** In this process, so that signals and the exit code need no passing on. */
async function runServer(): Promise<void> {
  process.argv = [process.execPath, join(ROOT, 'src/server/cli.ts'), 'serve', ...args]
  await import('../src/server/cli.ts')
}
