import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { showProgress } from '../output/progress.ts'

const ROOT = join(import.meta.dirname, '../../..')
/** Not below `node_modules`: Node runs no TypeScript there. */
const CHECKOUTS = join(homedir(), '.cache/tidegate-bench')
const LOCK = 'package-lock.json'

export interface Checkout {
  /** Short, as git names it. */
  readonly commit: string
  readonly cli: string
}

/**
 * Checks a revision out beside this one and installs what it needs, once: the folder is kept in `~/.cache/tidegate-bench`. A
 * revision with the packages of this one uses those that are installed here.
 * @throws Error for an unknown revision, and when it cannot be installed.
 */
export function checkOut(revision: string): Checkout {
  const commit = git('rev-parse', '--short=12', `${revision}^{commit}`)
  const lock = readFileSync(join(ROOT, LOCK), 'utf8')
  const hasOurPackages = git('show', `${commit}:${LOCK}`) === lock.trim()
  const folder = join(CHECKOUTS, hasOurPackages ? `${commit}-linked` : commit)
  if (!existsSync(folder)) make(folder, commit, !hasOurPackages)
  if (hasOurPackages) {
    const packages = join(folder, 'node_modules')
    // It may lead to those of a copy that is gone.
    rmSync(packages, { force: true })
    symlinkSync(join(ROOT, 'node_modules'), packages)
  }
  return { commit, cli: join(folder, 'src/server/cli.ts') }
}

function make(folder: string, commit: string, install: boolean): void {
  showProgress(`checking out ${commit}`)
  const draft = `${folder}-${process.pid}`
  mkdirSync(draft, { recursive: true })
  try {
    const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 2 ** 30 })
    execFileSync('tar', ['-x', '-C', draft], { input: archive })
    const options = ['ci', '--no-audit', '--no-fund', '--loglevel', 'error']
    if (install) {
      execFileSync('npm', options, { cwd: draft, stdio: ['ignore', 'ignore', 'inherit'] })
    }
    renameSync(draft, folder)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 30 }).trim()
}
