import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DATABASE_FILE } from '../../../shared/data-folder.ts'
import { restrict } from '../../restrict.ts'

/** Shared by all accounts, such as /tmp. */
const STICKY = 0o1000
/** Files that the server and the commands write to a data folder. */
const OURS = /^(?:tidegate\.db|server\.)/

/**
 * Restricts a data folder and its files to this account, also if an earlier version or a copy left
 * them readable. A folder that holds only other things keeps its permissions: there only the files are
 * restricted.
 */
export function restrictDataFolder(folder: string): void {
  if (process.platform === 'win32') return
  const names = readdirSync(folder)
  const isData = names.length === 0 || names.includes(DATABASE_FILE)
  if (isData && (lstatSync(folder).mode & STICKY) === 0) restrict(folder, 0o700)
  for (const name of names) {
    if (OURS.test(name) && lstatSync(join(folder, name), NO_THROW)?.isFile() === true) {
      restrict(join(folder, name), 0o600)
    }
  }
}

const NO_THROW = { throwIfNoEntry: false } as const
