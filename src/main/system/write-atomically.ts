import { randomBytes } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { whileHeld } from '../../shared/basics/held-file.ts'
import { messageOf } from '../../shared/basics/message-of.ts'
import type { WriteFailure } from '../../shared/console/desktop/shell.ts'

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
    await whileHeld(process.platform, () => rename(draft, path))
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

const REASONS: Readonly<Record<string, WriteFailure['reason']>> = {
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
  EACCES: 'not_allowed',
  EPERM: 'not_allowed',
  EROFS: 'not_allowed',
  EISDIR: 'is_folder',
  ENOENT: 'folder_missing',
  EBUSY: 'in_use',
}

/** Returns why a file could not be written, from the error of the file system. */
export function writeFailure(path: string, error: unknown): WriteFailure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const detail = messageOf(error)
  return { path, reason: REASONS[code] ?? 'other', detail }
}
