import type { StoredFile } from '../file-index.ts'

interface Removed {
  readonly file: StoredFile
  readonly key: string
  /** While its object is being deleted. */
  deleting: Promise<void> | undefined
}

/** Files that were taken away, and whose objects are deleted afterwards: the network is slower than a transaction may be. */
export class Removal {
  /** By SHA-512. */
  readonly #waiting = new Map<string, Removed>()
  /** Deleted since the last `forgetDone`. */
  readonly #done = new Set<string>()

  add(file: StoredFile, key: string): void {
    this.#waiting.set(file.sha512, { file, key, deleting: undefined })
  }

  /** Returns whether a file was taken away, although a list of the bucket may have its object still. */
  has(sha512: string): boolean {
    return this.#waiting.has(sha512) || this.#done.has(sha512)
  }

  /** Forgets what is deleted, before a list of the bucket begins. */
  forgetDone(): void {
    this.#done.clear()
  }

  /** Leaves the object of a file that is stored again. Resolves when it is no longer being deleted. */
  async cancel(sha512: string): Promise<void> {
    await this.#waiting.get(sha512)?.deleting?.catch(() => {})
    this.#waiting.delete(sha512)
    this.#done.delete(sha512)
  }

  /** Deletes the objects that wait for it. `onKept` hears of those that are still there; the first error is thrown. */
  async run(
    remove: (key: string) => Promise<void>,
    onKept: (file: StoredFile, key: string) => void,
  ): Promise<void> {
    const failures: unknown[] = []
    for (const removed of [...this.#waiting.values()]) {
      const { file, key } = removed
      const { sha512 } = file
      if (this.#waiting.get(sha512) !== removed || removed.deleting !== undefined) continue
      removed.deleting = remove(key)
      try {
        await removed.deleting
        this.#done.add(sha512)
      } catch (error) {
        failures.push(error)
        onKept(file, key)
      }
      this.#waiting.delete(sha512)
    }
    if (failures.length > 0) throw failures[0]
  }
}
