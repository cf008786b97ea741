import { type FileHandle, rm } from 'node:fs/promises'
import { Mutex } from '../runtime/async/mutex.ts'
import { FileFolder } from './file-folder.ts'
import { FileIndex, type StoredFile } from './file-index.ts'
import type { FolderStore } from './file-store.ts'

/** A stored file is gone from the folder, or has another size. */
export class FileDamaged extends Error {
  override readonly name = 'FileDamaged'
  readonly file: StoredFile

  constructor(file: StoredFile) {
    super(`${file.name} (${file.sha512}) was changed or deleted in the folder of artifacts`)
    this.file = file
  }
}

/** The files of a folder, which is the only state: what is known of it in memory is read at the start. */
export class StoredFiles implements FolderStore {
  readonly kind = 'folder'
  readonly #folder: FileFolder
  readonly #index = new FileIndex()
  /** One change at a time, so that nothing is deleted that was just found. */
  readonly #mutex = new Mutex()

  private constructor(folder: FileFolder) {
    this.#folder = folder
  }

  /** Reads the folder; creates it if it is missing. Throws the error of the operating system if that is impossible. */
  static async open(path: string): Promise<StoredFiles> {
    const folder = await FileFolder.open(path)
    const files = new StoredFiles(folder)
    for (const sha512 of await folder.hashes()) files.#index.add(await folder.read(sha512))
    return files
  }

  get bytes(): number {
    return this.#index.bytes
  }

  list(): StoredFile[] {
    return this.#index.list()
  }

  find(id: string): StoredFile | undefined {
    return this.#index.find(id)
  }

  /** It was read when it was opened. */
  async ready(): Promise<void> {}

  requireReady(): void {}

  async refresh(): Promise<void> {}

  async deleteRemoved(): Promise<void> {}

  async stop(): Promise<void> {}

  pathOf(file: Pick<StoredFile, 'sha512'>): string {
    return this.#folder.pathOf(file)
  }

  add(path: string, { sha512, name, size }: Omit<StoredFile, 'storedAt'>): Promise<StoredFile> {
    return this.#mutex.run(async () => {
      const present = await this.#keepIfIntact(sha512)
      if (present !== undefined) {
        await rm(path, { force: true })
        return present
      }
      await this.#folder.take(path, { sha512, name })
      return await this.#keep({ sha512, name, size, storedAt: 0 })
    })
  }

  async #keep(file: StoredFile): Promise<StoredFile> {
    return this.#index.add({ ...file, storedAt: await this.#folder.touch(file) })
  }

  keepIfIntact(sha512: string): Promise<StoredFile | undefined> {
    return this.#mutex.run(() => this.#keepIfIntact(sha512))
  }

  async #keepIfIntact(sha512: string): Promise<StoredFile | undefined> {
    const file = this.find(sha512)
    if (file === undefined || !(await this.#folder.isIntact(file))) return undefined
    return await this.#keep(file)
  }

  async open(file: StoredFile): Promise<FileHandle> {
    const handle = await this.#folder.open(file)
    if (handle !== undefined) return handle
    this.#index.forget(file)
    throw new FileDamaged(file)
  }

  /** Deletes the file at once. Downloads of it that have begun go on, except on Windows, where it throws until they have ended. */
  remove(file: StoredFile): Promise<boolean> {
    return this.#mutex.run(async () => {
      if (this.find(file.sha512) !== file) return false
      await this.#folder.remove(file)
      this.#index.forget(file)
      return true
    })
  }
}
