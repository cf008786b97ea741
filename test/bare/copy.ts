import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/** Caches of other runs, which a fresh installation does not have. */
const CACHES = /^\.(cache|vite|vite-temp|vitest-cache|vitest)$/

/**
 * Copies the files of a working tree that git does not ignore into a new repository, with the installed packages as
 * hard links.
 */
export function copyTree(source: string, target: string): void {
  mkdirSync(target)
  for (const file of git(source, 'ls-files', '-z', '--cached', '--others', '--exclude-standard')) {
    const from = join(source, file)
    if (!existsSync(from)) continue
    mkdirSync(dirname(join(target, file)), { recursive: true })
    cpSync(from, join(target, file))
  }
  git(target, 'init', '-q')
  linkTree(join(source, 'node_modules'), join(target, 'node_modules'))
}

/** Gives a tree to an account, but for what is linked: that belongs to others as well. */
export function handOver(folder: string, id: number): void {
  chownSync(folder, id, id)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) handOver(path, id)
    else if (entry.isFile() && !path.includes('/node_modules/')) chownSync(path, id, id)
  }
}

function git(folder: string, ...args: string[]): string[] {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return stdout.split('\0').filter((name) => name !== '')
}

function linkTree(source: string, target: string): void {
  mkdirSync(target)
  for (const entry of readdirSync(source, { withFileTypes: true })) {
    const [from, to] = [join(source, entry.name), join(target, entry.name)]
    if (CACHES.test(entry.name) && source.endsWith('/node_modules')) continue
    if (entry.isDirectory()) linkTree(from, to)
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(from), to)
    else linkOrCopy(from, to)
  }
}

/** Another file system takes no links. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
    chmodSync(to, 0o755)
  }
}
