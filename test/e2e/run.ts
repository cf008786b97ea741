/**
 * Builds the app and drives it from outside: real Electron where there is its binary and a display,
 * else the double. Arguments go to Vitest, such as a file name; `--no-build` takes what was built.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const double = join(root, 'test/electron-double')
const vitestArguments = process.argv.slice(2).filter((argument) => argument !== '--no-build')

function run(tool: string, args: readonly string[], own: Record<string, string> = {}): void {
  const tools = join(root, 'node_modules/.bin')
  // The tools are scripts that look for Node: it has to be the project's.
  const env = { ...process.env, PATH: [tools, process.env.PATH].join(delimiter), ...own }
  const { status } = spawnSync(join(tools, tool), args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env,
  })
  if (status !== 0) process.exit(status ?? 1)
}

/** Electron's folder, where its binary was downloaded or put. */
function electronFolder(): string | undefined {
  const module = join(root, 'node_modules/electron')
  const pathFile = join(module, 'path.txt')
  const binary = existsSync(pathFile) ? readFileSync(pathFile, 'utf8') : 'electron'
  const folders = [process.env.ELECTRON_OVERRIDE_DIST_PATH, join(module, 'dist')]
  return folders.find((folder) => folder !== undefined && existsSync(join(folder, binary)))
}

const { DISPLAY, WAYLAND_DISPLAY } = process.env
const hasDisplay = process.platform !== 'linux' || Boolean(DISPLAY || WAYLAND_DISPLAY)
const electron = hasDisplay ? electronFolder() : undefined
const runtime = electron ?? double
const reason = hasDisplay ? 'there is no Electron binary' : 'there is no display'
const chosen =
  runtime === double ? `the double, test/electron-double: ${reason}` : `Electron in ${runtime}`
process.stdout.write(`End-to-end tests run on ${chosen}\n`)

if (!process.argv.includes('--no-build')) run('electron-vite', ['build', '--logLevel', 'warn'])
run('vitest', ['run', '--config', 'test/e2e/vitest.config.ts', ...vitestArguments], {
  ELECTRON_OVERRIDE_DIST_PATH: runtime,
})
