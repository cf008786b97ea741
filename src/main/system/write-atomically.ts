import { randomBytes } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'

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

/** Returns why a file could not be written, and how to fix it. */
export function writeFailure(path: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const why = `${path} could not be written`
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return `${why}: the disk is full. Make room there, or choose another folder.`
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `${why}: this account may not write there. Choose another folder.`
    case 'EISDIR':
      return `${why}: a folder has that name. Choose another name.`
    case 'ENOENT':
      return `${why}: the folder is gone. Choose another one.`
    case 'EBUSY':
      return `${why}: another program has it open. Close it there, then try again.`
    default:
      return `${why}: ${error instanceof Error ? error.message : String(error)}`
  }
}
