import { renameSync } from 'node:fs'
import { whileHeldSync } from '../../../../shared/basics/held-file.ts'
import { syncFile, syncFolderOf } from '../../data-folder/folder.ts'
import type { CopyOptions } from '../../interface/backups.ts'
import { StorageError } from '../../interface/storage-error.ts'
import { type Connection, withPlainConnection } from '../database.ts'

/** Pages in one step of a copy: 2 MiB, so that the thread can answer other requests in between. */
const PAGES_PER_STEP = 512

/**
 * Copies the database of a connection into `file`, in steps. The connection stays in one read transaction
 * meanwhile: otherwise SQLite restarts the copy whenever another connection writes, and under constant writes
 * it never ends. Returns the number of pages.
 */
export async function copyPages(
  source: Connection,
  file: string,
  { onProgress, signal }: CopyOptions,
): Promise<number> {
  source.exec('BEGIN')
  // The snapshot of a transaction begins with its first read.
  source.prepare('SELECT 1 FROM sqlite_schema').get()
  try {
    const { totalPages } = await source.backup(file, {
      progress: ({ totalPages, remainingPages }) => {
        signal?.throwIfAborted()
        onProgress?.(totalPages - remainingPages, totalPages)
        return PAGES_PER_STEP
      },
    })
    signal?.throwIfAborted()
    onProgress?.(totalPages, totalPages)
    return totalPages
  } finally {
    source.exec('COMMIT')
  }
}

/**
 * Makes a copy a single file without a log, checks it page by page, and flushes it to the disk. Throws
 * `StorageError` if it is damaged or has another schema version.
 */
export function sealCopy(file: string, version: number): void {
  withPlainConnection(file, { readonly: false }, (copy) => {
    copy.pragma('journal_mode = DELETE')
    checkCopy(copy, version)
  })
  syncFile(file)
}

/** Gives a sealed copy its name, in one step. Replaces an existing file of that name. */
export function publishCopy(copy: string, file: string): void {
  whileHeldSync(process.platform, () => renameSync(copy, file))
  syncFolderOf(file)
}

function checkCopy(copy: Connection, version: number): void {
  const found = copy.pragma('quick_check(1)', { simple: true })
  if (found !== 'ok') {
    const circumstance = { kind: 'new_copy' } as const
    const detail = String(found)
    throw new StorageError({ code: 'corrupt', file: copy.name, detail, circumstance })
  }
  const copied = copy.pragma('user_version', { simple: true })
  if (copied !== version) {
    const detail = `it has schema ${copied} and not ${version}: the database changed meanwhile`
    throw new StorageError({ code: 'failed', file: copy.name, detail })
  }
}
