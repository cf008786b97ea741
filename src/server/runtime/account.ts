import { chmodSync, lstatSync } from 'node:fs'
import { userInfo } from 'node:os'

/** The name of the account that this process runs as, for the audit log. */
export function accountName(): string {
  try {
    return userInfo().username
  } catch {
    // An account that the system has no name for, as in some containers.
    return 'unknown'
  }
}

/** Sets the permissions of an own file or folder whatever the umask, through no link. Windows has inherited lists instead. */
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
