import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import {
  isPackageList,
  readPackages,
  signatureOfPackage,
} from '../../../shared/artifacts/documents/package-list.ts'
import { Failure } from '../command/errors.ts'
import { readText } from '../release/release-files.ts'
import { text } from '../strings/publish.ts'

/** A file of this computer, and the signature beside it. */
export interface BuiltFile {
  readonly path: string
  readonly name: string
  /** Bytes. */
  readonly size: number
  /** In hex. */
  readonly sha512: string
  /** In hex; empty unless it is a package, which updaters verify by it. */
  readonly sha1: string
  /** The contents of the `.sig` file, or the lines of a package in the list beside it; empty if there is none. */
  readonly signature: string
}

/** Reads a built file, piece by piece. `option`: what named it. Throws `Failure` if it cannot be read. */
export async function readBuiltFile(option: string, path: string): Promise<BuiltFile> {
  const signatureFile = `${path}.sig`
  const isPackage = /\.nupkg$/i.test(path)
  const signature = existsSync(signatureFile)
    ? readText(option, signatureFile).trim()
    : isPackage
      ? packageLines(option, path)
      : ''
  const hash = createHash('sha512')
  const sha1 = createHash('sha1')
  let size = 0
  try {
    for await (const chunk of createReadStream(path)) {
      hash.update(chunk)
      if (isPackage) sha1.update(chunk)
      size += chunk.length
    }
  } catch (error) {
    throw new Failure(text.unreadable(option, error instanceof Error ? error.message : path))
  }
  const name = basename(path)
  const built = { path, name, size, sha512: hash.digest('hex'), signature }
  return { ...built, sha1: isPackage ? sha1.digest('hex') : '' }
}

/**
 * Finds the file with a content in a folder, under another name with the same ending: electron-builder writes the names of files on
 * GitHub into its manifest, and keeps others, with spaces, in its folder. Undefined without a SHA-512 or a size.
 */
export async function builtFileOf(
  folder: string,
  name: string,
  { sha512, size }: Pick<BuiltFile, 'sha512' | 'size'>,
): Promise<BuiltFile | undefined> {
  if (sha512 === '' || size === 0) return undefined
  for (const other of readdirSync(folder)) {
    const path = join(folder, other)
    if (extname(other) !== extname(name) || !isFile(path) || statSync(path).size !== size) continue
    const built = await readBuiltFile('--from', path)
    if (built.sha512 === sha512) return built
  }
  return undefined
}

/** The lines of a package in the first list of packages beside it that has it; empty if none has. */
function packageLines(option: string, path: string): string {
  const folder = dirname(path)
  for (const list of readdirSync(folder).filter(isPackageList)) {
    const packages = readPackages(list, readText(option, join(folder, list)))
    const listed = packages?.find(({ name }) => name === basename(path))
    if (packages !== undefined && listed !== undefined) return signatureOfPackage(packages, listed)
  }
  return ''
}

/** Returns whether there is a file at a path. */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
