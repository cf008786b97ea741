/**
 * Runs the tests as a computer does that has nothing but Node, npm and git: `npm run test:bare -- [files]`. They run on a
 * copy of the working tree, in a folder with a space in its path, in another time zone and language, and as `nobody` if
 * this account is root. `--programs` runs those of `npm run test:programs`, and `--busy` keeps every core busy meanwhile;
 * all other arguments go to Vitest.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryFolder } from '../support/memory-folder.ts'
import { copyTree, handOver } from './copy.ts'
import { linkPrograms } from './programs.ts'

const NOBODY = 65_534

const args = process.argv.slice(2)
const base = mkdtempSync(join(tmpdir(), 'tidegate-bare-'))
const [root, home, programs] = ['the copy', 'home', 'bin'].map((name) => join(base, name)) as [
  string,
  string,
  string,
]
const temporary = mkdtempSync(join(memoryFolder(), 'tidegate-bare-'))

copyTree(join(import.meta.dirname, '../..'), root)
linkPrograms(programs)
mkdirSync(home)
const isRoot = process.getuid?.() === 0
if (isRoot) for (const folder of [base, temporary]) handOver(folder, NOBODY)

const others: ChildProcess[] = []
if (args.includes('--busy')) {
  for (let core = 0; core < availableParallelism(); core += 1) {
    others.push(spawn(process.execPath, ['-e', 'for (;;);']))
  }
}
const script = args.includes('--programs') ? 'test:programs' : 'test'
const rest = args.filter((argument) => !['--busy', '--programs'].includes(argument))
const { status } = spawnSync('npm', ['run', script, '--', ...rest], {
  cwd: root,
  env: {
    ...{ PATH: programs, HOME: home, TMPDIR: temporary, TIDEGATE_TEST_BARE: 'true' },
    npm_config_update_notifier: 'false',
    ...{ TZ: 'Asia/Kathmandu', LC_ALL: 'de_DE.UTF-8', LANG: 'de_DE.UTF-8' },
  },
  stdio: 'inherit',
  ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
})
for (const other of others) other.kill('SIGKILL')
for (const folder of [base, temporary]) rmSync(folder, { recursive: true, force: true })
process.exitCode = status ?? 1
