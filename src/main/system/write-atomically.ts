import { randomBytes } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { text as strings } from '../strings.ts'

const words = strings.writeFailures

/**
 * Writes a UTF-8 text file atomically: to a draft next to it, which then replaces what was there.
 * Rejects with the error of the file system, and then leaves nothing behind.
 */
export async function writeAtomically(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}.part`
  try {
    const file = await open(draft, 'wx')
    try {
      await file.writeFile(text, 'utf8')
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** Returns that a file could not be written, why, and how to fix it. */
export function writeFailure(path: string, error: unknown): string {
  return words.notWritten(path, reasonOf(error))
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return words.full
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return words.forbidden
    case 'EISDIR':
      return words.isFolder
    case 'ENOENT':
      return words.noFolder
    case 'EBUSY':
      return words.open
    default:
      return error instanceof Error ? error.message : String(error)
  }
}
