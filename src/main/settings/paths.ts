import { mkdir, stat } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import type { PathIssue } from '../../shared/console/settings/setting-issue.ts'
import type { FileKind, FolderKind } from '../../shared/console/settings/settings.ts'

/** The purpose of a dialog. */
export type PathKind = FileKind | FolderKind

/** Where backups and stored files are unless the person chose another folder. */
export const usualBackupFolder = (dataFolder: string) => join(dataFolder, 'backups')
export const usualFilesFolder = (dataFolder: string) => join(dataFolder, 'artifacts')

/**
 * The paths that the person has chosen in dialogs since startup, by purpose. The page also sends paths,
 * but it cannot choose them.
 */
export class ChosenPaths {
  readonly #paths = new Map<PathKind, Set<string>>()

  /** Records that the person chose this path. */
  add(kind: PathKind, path: string): void {
    this.#paths.set(kind, new Set([...(this.#paths.get(kind) ?? []), path]))
  }

  /** Returns whether the person chose exactly this path for this purpose. */
  has(kind: PathKind, path: string): boolean {
    return this.#paths.get(kind)?.has(path) === true
  }
}

/**
 * Returns why a typed path must not be accessed, or undefined. Windows signs in to the server of a path
 * such as `\\server\share` with the account's credentials on any access, so on Windows only paths that
 * begin with a drive are accessed.
 */
export function pathIssue(path: string, platform: NodeJS.Platform): PathIssue | undefined {
  if (platform !== 'win32') return posix.isAbsolute(path) ? undefined : { code: 'not_absolute' }
  if (/^[a-z]:[\\/]/i.test(path)) return undefined
  return { code: /^[\\/]/.test(path) ? 'remote' : 'not_absolute' }
}

/**
 * Creates a folder and its missing parents, for this account only. Does not use the recursive option of
 * `mkdir`, which never returns when a file system such as /proc reports an existing parent as missing.
 * Rejects with the error of the file system.
 */
export async function makeFolder(folder: string): Promise<void> {
  const isFolder = (path: string) =>
    stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    )
  if (await isFolder(folder)) return
  const above = dirname(folder)
  if (above !== folder) await makeFolder(above)
  await mkdir(folder, { mode: 0o700 })
}
