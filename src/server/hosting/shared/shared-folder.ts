import { type FileHandle, rm } from 'node:fs/promises'
import { FileFolder } from '../file-folder.ts'
import type { StoredFile } from '../file-index.ts'
import type { FolderStore } from '../file-store.ts'
import { FileDamaged } from '../stored-files.ts'
import type { FileRecord } from './records.ts'
import { SharedStore, type SharedStoreParts } from './shared-store.ts'

/** The files of a folder that all nodes reach under some path. What is in it is known to all of them. */
export class SharedFolder extends SharedStore implements FolderStore {
  readonly kind = 'folder'
  readonly #folder: FileFolder

  private constructor(folder: FileFolder, parts: SharedStoreParts) {
    super(parts)
    this.#folder = folder
  }

  /** Adds files that no node knows. Throws the error of the operating system if the folder cannot be used. */
  static async open(path: string, parts: SharedStoreParts): Promise<SharedFolder> {
    const files = new SharedFolder(await FileFolder.open(path), parts)
    await files.#adopt()
    await files.refresh()
    files.follow()
    return files
  }

  /** It was read when it was opened. */
  async ready(): Promise<void> {}

  requireReady(): void {}

  async deleteRemoved(): Promise<void> {}

  pathOf(file: Pick<StoredFile, 'sha512'>): string {
    return this.#folder.pathOf(file)
  }

  async add(path: string, facts: Omit<StoredFile, 'storedAt'>): Promise<StoredFile> {
    const { sha512 } = facts
    const stored = await this.records.exclusively(sha512, async (record) => {
      const present = await this.#keepIfIntact(record)
      if (present !== undefined) {
        await rm(path, { force: true })
        return present
      }
      await this.#folder.take(path, facts)
      return await this.#keep(record, facts)
    })
    await this.refresh()
    return stored
  }

  async keepIfIntact(sha512: string): Promise<StoredFile | undefined> {
    const kept = await this.records.exclusively(sha512, (record) => this.#keepIfIntact(record))
    await this.refresh()
    return kept
  }

  async open(file: StoredFile): Promise<FileHandle> {
    const handle = await this.#folder.open(file)
    if (handle !== undefined) return handle
    await this.records.exclusively(file.sha512, async (record) => {
      const current = await record.get()
      if (current === undefined || current.lost || (await this.#folder.isIntact(current))) return
      await this.lose(record, current)
    })
    await this.refresh()
    throw new FileDamaged(file)
  }

  remove(file: StoredFile): Promise<boolean> {
    return this.take(file, () => this.#folder.remove(file))
  }

  async #adopt(): Promise<void> {
    const known = new Set((await this.records.list()).map(({ sha512 }) => sha512))
    for (const sha512 of await this.#folder.hashes()) {
      if (known.has(sha512)) continue
      await this.records.exclusively(sha512, async (record) => {
        if ((await record.get()) !== undefined) return
        // Another node may have deleted it meanwhile.
        const file = await this.#folder.read(sha512).catch(() => undefined)
        if (file !== undefined) await record.put({ ...file, key: null })
      })
    }
  }

  async #keepIfIntact(record: FileRecord): Promise<StoredFile | undefined> {
    const file = await record.get()
    if (file === undefined || !(await this.#folder.isIntact(file))) return undefined
    return await this.#keep(record, file)
  }

  async #keep(record: FileRecord, facts: Omit<StoredFile, 'storedAt'>): Promise<StoredFile> {
    const { sha512, name, size } = facts
    const storedAt = await this.#folder.touch(facts)
    await record.put({ ...{ sha512, name, size, storedAt }, key: null })
    return { sha512, name, size, storedAt }
  }
}
