import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DATABASE_FILE } from '../../../shared/operation/data-folder.ts'
import { restrict } from '../../runtime/account.ts'
import { StorageError } from '../interface/storage-error.ts'
import { guarded } from './errors.ts'

/** Ends the name of a database that a move has not filled completely. */
export const MOVING = '.moving'

/** Creates the data folder if it is missing, for this account only. Throws `StorageError`. */
export function createDataFolder(folder: string): void {
  guarded(folder, () => {
    createFolder(folder)
    restrictDataFolder(resolve(folder))
  })
}

/** Creates a folder and its missing parents, for this account only. */
export function createFolder(folder: string): void {
  guarded(folder, () => make(resolve(folder)))
}

/** Returns whether a file or folder exists. Throws `StorageError` when this account has no access. */
export function isThere(path: string): boolean {
  return guarded(path, () => statSync(path, { throwIfNoEntry: false }) !== undefined)
}

/**
 * Does not use the recursive option of `mkdir`, which never returns when a file system such as /proc
 * reports an existing parent as missing.
 */
function make(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return
  const above = dirname(path)
  if (above !== path) make(above)
  try {
    mkdirSync(path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EEXIST') {
      // Another process was faster.
      if (statSync(path).isDirectory()) return
      const circumstance = { kind: 'not_a_folder' } as const
      throw new StorageError({ code: 'unopenable', file: path, circumstance })
    }
    if (code !== 'ENOENT') throw error
    const circumstance = { kind: 'no_new_folder' } as const
    throw new StorageError({ code: 'unwritable', file: path, circumstance }, { cause: error })
  }
  restrict(path, 0o700)
}

/** The files that SQLite keeps beside a database. */
export function sidecars(file: string): string[] {
  return [`${file}-wal`, `${file}-shm`, `${file}-journal`]
}

/** Creates an empty file for this account only. Throws when it already exists. */
export function createPrivateFile(file: string): void {
  closeSync(openSync(file, 'wx', 0o600))
  restrict(file, 0o600)
}

/** The same, but leaves an existing file unchanged and does not open it. */
export function ensurePrivateFile(file: string): void {
  try {
    createPrivateFile(file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
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

/** Flushes the contents of a closed file to the disk. */
export function syncFile(file: string): void {
  const descriptor = openSync(file, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Flushes a rename or a link in the folder of `file` to the disk. */
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

/** Shared by all accounts, such as /tmp. */
const STICKY = 0o1000
/** Files that the server and the commands write to a data folder. */
const OURS = /^(?:tidegate\.db|server\.)/

/**
 * Restricts a data folder and its files to this account, also if an earlier version or a copy left
 * them readable. A folder that holds only other things keeps its permissions: there only the files are
 * restricted.
 */
function restrictDataFolder(folder: string): void {
  if (process.platform === 'win32') return
  const names = readdirSync(folder)
  const isData = names.length === 0 || names.includes(DATABASE_FILE)
  if (isData && (lstatSync(folder).mode & STICKY) === 0) restrict(folder, 0o700)
  for (const name of names) {
    if (OURS.test(name) && lstatSync(join(folder, name), NO_THROW)?.isFile() === true) {
      restrict(join(folder, name), 0o600)
    }
  }
}

const NO_THROW = { throwIfNoEntry: false } as const
