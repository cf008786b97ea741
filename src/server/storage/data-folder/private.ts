import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Shared by all accounts, such as /tmp. */
const STICKY = 0o1000
/** Files that the server and the commands write to a data folder. */
const OURS = /^(?:tidegate\.db|server\.)/

/**
 * Gives a file or a folder these permissions regardless of the umask. Skips files of other accounts and
 * targets of links. Windows has access lists instead, which are inherited from the profile folder.
 */
export function restrict(path: string, mode: 0o600 | 0o700): void {
  if (process.platform === 'win32') return
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined || stat.isSymbolicLink() || stat.uid !== process.geteuid?.()) return
  if ((stat.mode & 0o7777) === mode) return
  try {
    chmodSync(path, mode)
  } catch {
    // A file system without permissions, or a read-only one.
  }
}

/**
 * Restricts a data folder and its files to this account, also if an earlier version or a copy left
 * them readable. A folder that holds only other things keeps its permissions: there only the files are
 * restricted.
 */
export function restrictDataFolder(folder: string): void {
  if (process.platform === 'win32') return
  const names = readdirSync(folder)
  const isData = names.length === 0 || names.includes('tidegate.db')
  if (isData && (lstatSync(folder).mode & STICKY) === 0) restrict(folder, 0o700)
  for (const name of names) {
    if (OURS.test(name) && lstatSync(join(folder, name), NO_THROW)?.isFile() === true) {
      restrict(join(folder, name), 0o600)
    }
  }
}

const NO_THROW = { throwIfNoEntry: false } as const
