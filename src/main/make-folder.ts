import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a folder and those above it where they are missing, for this account only. Not by the
 * recursive option of `mkdir`, which never returns where a file system such as /proc says that the
 * folder above is missing although it is there. Rejects with the error of the file system.
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
