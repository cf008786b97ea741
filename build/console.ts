import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { findElectronBinary } from './electron-binary.ts'
import { buildIsStale, planStart, type StartPlan } from './start-plan.ts'

const ROOT = join(import.meta.dirname, '..')

/** Whether the console can be shown on this machine, and by which Electron. */
export function planHere(): StartPlan {
  return planStart({
    platform: process.platform,
    binary: findElectronBinary({
      packageFolder: join(ROOT, 'node_modules/electron'),
      platform: process.platform,
      override: process.env.ELECTRON_OVERRIDE_DIST_PATH,
    }),
    env: process.env,
  })
}

/** Builds the console where a source is younger than what was built. A build that fails ends the process. */
export function buildConsole(): void {
  const built = changedAt('out/main/index.js')
  const sources = globSync(['src/**/*.*', 'package.json', 'electron.vite.config.ts'], { cwd: ROOT })
  const changes = sources.map((file) => changedAt(file) ?? 0)
  if (!buildIsStale(built, changes)) return
  const tool = join(ROOT, 'node_modules/electron-vite/bin/electron-vite.js')
  const { status } = spawnSync(process.execPath, [tool, 'build', '--logLevel', 'warn'], {
    cwd: ROOT,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}

/** Opens the built console. The signals that end this process are passed on to it. */
export function spawnConsole(
  binary: string,
  args: readonly string[],
  extra: Readonly<Record<string, string>> = {},
): ChildProcess {
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env
  const child = spawn(binary, ['.', ...args], {
    cwd: ROOT,
    env: { ...env, ...extra },
    stdio: 'inherit',
    // In a group of its own: a terminal would send Ctrl-C to it as well, and Chromium takes the
    // second signal for impatience and quits without closing.
    detached: process.platform !== 'win32',
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => child.kill(signal))
  }
  return child
}

function changedAt(file: string): number | undefined {
  return statSync(join(ROOT, file), { throwIfNoEntry: false })?.mtimeMs
}
