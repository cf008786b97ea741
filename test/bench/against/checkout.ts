import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { showProgress } from '../output/progress.ts'

const ROOT = join(import.meta.dirname, '../../..')
/** Not below `node_modules`: Node runs no TypeScript there. */
const CHECKOUTS = join(homedir(), '.cache/tidegate-bench')

export interface Checkout {
  /** Short, as git names it. */
  readonly commit: string
  readonly cli: string
}

/**
 * Checks a revision out beside this one and installs what it needs, once: the folder is kept in `~/.cache/tidegate-bench`.
 * @throws Error for an unknown revision, and when it cannot be installed.
 */
export function checkOut(revision: string): Checkout {
  const commit = git('rev-parse', '--short=12', `${revision}^{commit}`)
  const folder = join(CHECKOUTS, commit)
  const cli = join(folder, 'src/server/cli.ts')
  if (existsSync(folder)) return { commit, cli }
  showProgress(`installing ${commit}`)
  const draft = `${folder}-${process.pid}`
  mkdirSync(draft, { recursive: true })
  try {
    const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 2 ** 30 })
    execFileSync('tar', ['-x', '-C', draft], { input: archive })
    const options = ['ci', '--no-audit', '--no-fund', '--loglevel', 'error']
    execFileSync('npm', options, { cwd: draft, stdio: ['ignore', 'ignore', 'inherit'] })
    renameSync(draft, folder)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  return { commit, cli }
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()
}
