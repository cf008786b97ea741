/**
 * What downloads send: a file as a whole, parts of one, a package of changes for Squirrel and Velopack, a patch that makes a
 * file, or the block map of one.
 */
export const DOWNLOAD_KINDS = ['file', 'part', 'delta', 'patch', 'block_map'] as const
export type DownloadKind = (typeof DOWNLOAD_KINDS)[number]

interface Counted {
  downloads: number
  bytes: number
}

/** Counts the downloads that this server sends itself, by kind: whatever is stored, there are as many numbers. */
export class DownloadCounts {
  readonly #kinds = new Map<DownloadKind, Counted>(
    DOWNLOAD_KINDS.map((kind) => [kind, { downloads: 0, bytes: 0 }]),
  )
  #savedBytes = 0

  /** Bytes that answers with several parts and patches left out of their files. */
  get savedBytes(): number {
    return this.#savedBytes
  }

  of(kind: DownloadKind): Readonly<Counted> {
    return this.#counted(kind)
  }

  /** Counts bytes that were passed to a client, also one that left before the end. */
  addBytes(kind: DownloadKind, bytes: number): void {
    this.#counted(kind).bytes += bytes
  }

  /** Counts a download that was sent to its end. `saved`: bytes that it left out. */
  addCompleted(kind: DownloadKind, saved: number): void {
    this.#counted(kind).downloads += 1
    this.#savedBytes += saved
  }

  #counted(kind: DownloadKind): Counted {
    const counted = this.#kinds.get(kind)
    if (counted === undefined) throw new RangeError(`${kind} is not a kind of download`)
    return counted
  }
}
