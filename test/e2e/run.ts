/**
 * Builds the app and drives it from outside: real Electron where there is its binary and a display,
 * else the double. Arguments go to Vitest, such as a file name; `--no-build` takes what was built, and `--all` also runs
 * what takes long, and every screen in the desktop app.
 */
import { spawnSync } from 'node:child_process'
import { delimiter, join, resolve } from 'node:path'
import { chooseRuntime } from './runtime.ts'

const root = resolve(import.meta.dirname, '../..')
const OWN = ['--no-build', '--all']
const vitestArguments = process.argv.slice(2).filter((argument) => !OWN.includes(argument))

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

const runtime = chooseRuntime()
process.stdout.write(`End-to-end tests run on ${runtime.name}\n`)

if (!process.argv.includes('--no-build')) run('electron-vite', ['build', '--logLevel', 'warn'])
run('vitest', ['run', '--config', 'test/e2e/vitest.config.ts', ...vitestArguments], {
  ELECTRON_OVERRIDE_DIST_PATH: runtime.folder,
  ...(process.argv.includes('--all') ? { E2E_ALL: '1' } : {}),
})
