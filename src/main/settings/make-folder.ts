import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

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
