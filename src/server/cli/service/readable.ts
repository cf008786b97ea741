import { statSync } from 'node:fs'
import { dirname } from 'node:path'

const READ = 0o004
const SEARCH = 0o001

/** Returns the first file or folder on the way to a file that other accounts cannot read; undefined if all can. */
export function unreadableByOthers(file: string): string | undefined {
  if ((statSync(file).mode & READ) === 0) return file
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    if ((statSync(folder).mode & SEARCH) === 0) return folder
  }
  return undefined
}
