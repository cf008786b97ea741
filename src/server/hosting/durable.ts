import { type FileHandle, open, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { whileHeld } from '../../shared/basics/held-file.ts'

/** Writes a file all or nothing, also in a crash. `temporary`: where the content is until then, of this writer alone. */
export async function writeDurably(
  path: string,
  content: string | Uint8Array,
  temporary = `${path}.new`,
): Promise<void> {
  await writeFile(temporary, content, { mode: 0o600, flush: true })
  await whileHeld(process.platform, () => rename(temporary, path))
  await syncFolder(dirname(path))
}

/** Moves a file whose content is on disk, so that it is in the other folder after a crash, too. */
export async function moveDurably(from: string, to: string): Promise<void> {
  await whileHeld(process.platform, () => rename(from, to))
  await syncFolder(dirname(to))
}

/** Makes the entries of a folder survive a crash. Windows cannot sync folders, and writes their entries by itself. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Writes a chunk at a position of a file. */
export async function writeAll(
  handle: FileHandle,
  chunk: Uint8Array,
  position: number,
): Promise<void> {
  let done = 0
  while (done < chunk.length) {
    const left = chunk.length - done
    done += (await handle.write(chunk, done, left, position + done)).bytesWritten
  }
}

/** Returns whether an error of the operating system says that there is no space. */
export function isDiskFull(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ENOSPC' || code === 'EDQUOT'
}
