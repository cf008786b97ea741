import { renameSync } from 'node:fs'
import { syncFile, syncFolderOf } from '../data-folder/folder.ts'
import type { CopyOptions } from '../interface/backups.ts'
import { StorageError } from '../interface/storage-error.ts'
import { type Connection, withPlainConnection } from '../sqlite/database.ts'

/** Pages in one step of a copy: 2 MiB, so that the thread answers others in between. */
const PAGES_PER_STEP = 512

/**
 * Copies the database of a connection into `file`, in steps. The connection is held in one read
 * transaction meanwhile: SQLite starts a copy again whenever another connection has written, and
 * under constant writes would never end. Answers the number of pages.
 */
export async function copyPages(
  source: Connection,
  file: string,
  { onProgress, signal }: CopyOptions,
): Promise<number> {
  source.exec('BEGIN')
  // A transaction has its snapshot from its first read on.
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
 * Makes a copy a single file that needs no log, checks it page by page, and forces it onto the
 * disk. Throws `StorageError` if it is damaged or not of that schema version.
 */
export function sealCopy(file: string, version: number): void {
  withPlainConnection(file, { readonly: false }, (copy) => {
    copy.pragma('journal_mode = DELETE')
    checkCopy(copy, version)
  })
  syncFile(file)
}

/** Gives a sealed copy its name, in one step. Replaces what has that name. */
export function publishCopy(copy: string, file: string): void {
  renameSync(copy, file)
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
