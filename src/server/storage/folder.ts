import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { guarded } from './errors.ts'

/** Creates the data folder where it is missing, for this account only. Throws `StorageError`. */
export function createDataFolder(folder: string): void {
  guarded(folder, () => mkdirSync(folder, { recursive: true, mode: 0o700 }))
}

/** The files that SQLite keeps beside a database. */
export function sidecars(file: string): string[] {
  return [`${file}-wal`, `${file}-shm`, `${file}-journal`]
}

/** Deletes a database file that nobody has open, with all that is beside it. */
export function removeDatabase(file: string): void {
  for (const path of [file, ...sidecars(file)]) rmSync(path, { force: true })
}

/** The first of `base`, `base.2`, `base.3` … that does not exist. */
export function freeName(base: string): string {
  let name = base
  for (let count = 2; existsSync(name); count++) name = `${base}.${count}`
  return name
}

/** Forces the contents of a closed file onto the disk. */
export function syncFile(file: string): void {
  const descriptor = openSync(file, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Forces a rename or a link in the folder of `file` onto the disk. */
export function syncFolderOf(file: string): void {
  // Windows has no such call: NTFS journals its renames by itself.
  if (process.platform === 'win32') return
  const descriptor = openSync(dirname(file), 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
