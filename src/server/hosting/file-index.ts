/** A file that is kept, by its content. */
export interface StoredFile {
  /** Lower-case hex. */
  readonly sha512: string
  /** As it was uploaded first. */
  readonly name: string
  /** Bytes. */
  readonly size: number
  /** Unix time in milliseconds at which it was uploaded or last asked for. */
  readonly storedAt: number
}

/** Hex digits of a hash that addresses have: 128 bits, so that nobody finds two files that share them. */
const SHORT = 32

/** Returns how addresses name a file. */
export function idOf({ sha512 }: Pick<StoredFile, 'sha512'>): string {
  return sha512.slice(0, SHORT)
}

/** Returns `now`, or the next millisecond after `before`: a file that is kept differs from what it was. */
export function laterThan(before: number, now: number): number {
  return Math.max(now, Math.floor(before) + 1)
}

/** The files that are known to be stored, in memory. */
export class FileIndex {
  /** By the short hash. */
  readonly #files = new Map<string, StoredFile>()
  #bytes = 0

  /** Bytes of all files. */
  get bytes(): number {
    return this.#bytes
  }

  /** All files, the one stored last first. */
  list(): StoredFile[] {
    return [...this.#files.values()].sort((one, other) => other.storedAt - one.storedAt)
  }

  /** Finds a file by its SHA-512 in lower-case hex, or by the first 32 digits of it. */
  find(id: string): StoredFile | undefined {
    const file = this.#files.get(id.slice(0, SHORT))
    return file?.sha512 === id || id.length === SHORT ? file : undefined
  }

  /** Adds a file, or replaces what is known of it. */
  add(file: StoredFile): StoredFile {
    this.forget(file)
    this.#files.set(idOf(file), file)
    this.#bytes += file.size
    return file
  }

  forget({ sha512 }: Pick<StoredFile, 'sha512'>): void {
    const known = this.find(sha512)
    if (known === undefined) return
    this.#files.delete(idOf(known))
    this.#bytes -= known.size
  }
}
