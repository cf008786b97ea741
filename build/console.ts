import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { findElectronBinary } from './electron-binary.ts'
import { buildIsStale, planStart, type StartPlan } from './start-plan.ts'

const ROOT = join(import.meta.dirname, '..')

/** Returns whether this computer can show the console, and with which Electron. */
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

/** Builds the console if a source is newer than the build. Ends the process when the build fails. */
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

/** Opens the built console, and forwards the signals that end this process. */
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
    // In its own process group: a terminal would send Ctrl-C to it too, and Chromium quits without
    // closing at the second signal.
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
