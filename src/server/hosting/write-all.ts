import type { FileHandle } from 'node:fs/promises'

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
