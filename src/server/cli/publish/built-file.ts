import { createHash } from 'node:crypto'
import { createReadStream, existsSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { Failure } from '../errors.ts'
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
  /** The contents of the `.sig` file; empty if there is none. */
  readonly signature: string
}

/** Reads a built file, piece by piece. `option`: what named it. Throws `Failure` if it cannot be read. */
export async function readBuiltFile(option: string, path: string): Promise<BuiltFile> {
  const signatureFile = `${path}.sig`
  const signature = existsSync(signatureFile) ? readText(option, signatureFile).trim() : ''
  const hash = createHash('sha512')
  let size = 0
  try {
    for await (const chunk of createReadStream(path)) {
      hash.update(chunk)
      size += chunk.length
    }
  } catch (error) {
    throw new Failure(text.unreadable(option, error instanceof Error ? error.message : path))
  }
  return { path, name: basename(path), size, sha512: hash.digest('hex'), signature }
}

/** Returns whether there is a file at a path. */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
