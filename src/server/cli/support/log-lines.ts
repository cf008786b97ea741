import { open } from 'node:fs/promises'

/** Bytes that are read from the end of a log. */
const MAX_BYTES = 512 * 1_024
const MAX_LINES = 2_000
/** API keys, and whatever may be the ID of a device. */
const SECRETS = /\btg_[\w-]+|\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi

/**
 * Returns the last lines of a log, without API keys and IDs, at most 2,000 lines and 512 KiB. Undefined if the log cannot
 * be read.
 */
export async function lastLogLines(file: string): Promise<string[] | undefined> {
  try {
    const handle = await open(file)
    try {
      const { size } = await handle.stat()
      const from = Math.max(0, size - MAX_BYTES)
      const { buffer, bytesRead } = await handle.read(
        Buffer.alloc(size - from),
        0,
        size - from,
        from,
      )
      const lines = buffer.toString('utf8', 0, bytesRead).split('\n')
      // It may begin within a line.
      if (from > 0) lines.shift()
      return lines
        .filter((line) => line !== '')
        .slice(-MAX_LINES)
        .map((line) => line.replace(SECRETS, '[removed]'))
    } finally {
      await handle.close()
    }
  } catch {
    return undefined
  }
}
