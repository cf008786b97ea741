import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** All that the console's page is made of. */
const SOURCES = [
  'src/renderer/**/*',
  'src/shared/**/*',
  'build/page-config.ts',
  'package-lock.json',
]

/** Beside the built page: the hash of the sources that it was built from. */
export const STAMP = 'sources.txt'

/** Returns whether the page in a folder was built from the sources as they are. */
export function isPageCurrent(root: string, folder: string): boolean {
  try {
    return readFileSync(join(folder, STAMP), 'utf8') === hashOfSources(root)
  } catch {
    return false
  }
}

/** Returns the hash of the page's sources. */
export function hashOfSources(root: string): string {
  const files = globSync(SOURCES, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file.slice(root.length)}\0`).update(readFileSync(file))
  return hash.digest('hex')
}
