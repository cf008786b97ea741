import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import type { Holder } from '../../../shared/operation/storage-problem.ts'
import { restrict } from '../../runtime/account.ts'
import type { StorageHolder } from '../interface/engine.ts'

/** Notes of earlier versions have no token and no kept files. */
const Note = z.object({
  pid: z.number(),
  address: z.string().nullable(),
  startedAt: z.string(),
  statusToken: z.string().nullable().catch(null),
  keptFiles: z.object({ folder: z.string(), publicUrl: z.string() }).nullable().catch(null),
})

/** Records who holds a folder, for this account only. Failures are ignored. */
export function writeNote(file: string, holder: StorageHolder): void {
  try {
    // Never into a file that is already there, which another account could read, or have open.
    rmSync(`${file}.partial`, { force: true })
    writeFileSync(`${file}.partial`, JSON.stringify(holder), { mode: 0o600, flag: 'wx' })
    restrict(`${file}.partial`, 0o600)
    renameSync(`${file}.partial`, file)
  } catch {
    // A full disk must not stop the server: without the record, messages only lack the holder's name.
    rmSync(file, { force: true })
  }
}

/** What the holder of a folder has recorded; undefined if that is missing or damaged. */
export function readNote(file: string): StorageHolder | undefined {
  try {
    return Note.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return undefined
  }
}

/** Returns the holder, as problems name it; null if it did not record itself. */
export function namedIn(file: string): Holder | null {
  const holder = readNote(file)
  return holder === undefined ? null : { pid: holder.pid, address: holder.address }
}
