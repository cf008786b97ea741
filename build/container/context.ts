import { type Dirent, globSync, readFileSync } from 'node:fs'
import { join, matchesGlob, relative, sep } from 'node:path'

/** In the root of the sources, but in no image: to look through them takes long. */
const LARGE = ['node_modules', '.git', 'out', 'dist']

/**
 * Returns the files of a build context, relative to its folder, that a `.dockerignore` leaves in it. The last pattern
 * that matches a file or a folder above it decides.
 */
export function contextFiles(folder: string, ignoreFile: string): string[] {
  const patterns = readFileSync(ignoreFile, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  const exclude = ({ parentPath, name }: Dirent) => parentPath === folder && LARGE.includes(name)
  return ['**/*', '.*']
    .flatMap((glob) => globSync(glob, { cwd: folder, exclude, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll(sep, '/'))
    .filter((path) => !isIgnored(path, patterns))
}

function isIgnored(path: string, patterns: readonly string[]): boolean {
  const parts = path.split('/')
  const andAbove = parts.map((_, index) => parts.slice(0, index + 1).join('/'))
  const deciding = patterns.findLast((pattern) =>
    andAbove.some((part) => matchesGlob(withoutDots(part), withoutDots(pattern.replace(/^!/, '')))),
  )
  return deciding !== undefined && !deciding.startsWith('!')
}

/** Docker's `*` also stands for names that begin with a dot. */
function withoutDots(path: string): string {
  return path.replaceAll(/(?<=^|\/)\./g, '_dot_')
}
