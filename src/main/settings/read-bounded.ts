import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import type { PathIssue } from '../../shared/console/setting-issue.ts'

/** A file was not read because of what it is. */
export class UnreadableFile extends Error {
  readonly issue: PathIssue

  constructor(issue: PathIssue) {
    super(issue.code)
    this.issue = issue
  }
}

/**
 * Reads a regular file of at most `most` bytes. Rejects with `UnreadableFile` for a larger file, and for
 * a pipe or a device, which may block or never end; otherwise with the file system's error.
 */
export async function readBounded(file: string, most: number): Promise<Buffer> {
  // Checked before opening, because merely opening some devices has effects.
  if (!(await stat(file)).isFile()) throw new UnreadableFile({ code: 'not_a_file' })
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    if (!(await handle.stat()).isFile()) throw new UnreadableFile({ code: 'not_a_file' })
    const content = Buffer.alloc(most + 1)
    let length = 0
    while (length < content.length) {
      const { bytesRead } = await handle.read(content, length)
      if (bytesRead === 0) return content.subarray(0, length)
      length += bytesRead
    }
    throw new UnreadableFile({ code: 'too_large', maxBytes: most })
  } finally {
    await handle.close()
  }
}
