import { type FileHandle, mkdir, open, readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { HostedFileName } from '../../shared/hosted-file.ts'
import { Turns } from '../turns.ts'
import { moveDurably, writeDurably } from './durable.ts'
import { FileIndex, idOf, type StoredFile } from './file-index.ts'
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

const HASH = /^[0-9a-f]{128}$/
const Label = z.object({ name: HostedFileName })

/**
 * The files of a folder, each named by its SHA-512, with its name in a JSON file beside it. The folder is the only state:
 * what is known of it in memory is read at the start.
 */
export class StoredFiles implements FolderStore {
  readonly kind = 'folder'
  readonly #folder: string
  readonly #index = new FileIndex()
  /** One change at a time, so that nothing is deleted that was just found. */
  readonly #turns = new Turns()

  private constructor(folder: string) {
    this.#folder = folder
  }

  /** Reads the folder; creates it if it is missing. Throws the error of the operating system if that is impossible. */
  static async open(folder: string): Promise<StoredFiles> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const files = new StoredFiles(folder)
    for (const name of await readdir(folder)) {
      if (!HASH.test(name)) continue
      const { size, mtimeMs } = await stat(join(folder, name))
      files.#index.add({ sha512: name, name: await files.#labelOf(name), size, storedAt: mtimeMs })
    }
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

  async deleteRemoved(): Promise<void> {}

  async stop(): Promise<void> {}

  pathOf({ sha512 }: Pick<StoredFile, 'sha512'>): string {
    return join(this.#folder, sha512)
  }

  add(path: string, { sha512, name, size }: Omit<StoredFile, 'storedAt'>): Promise<StoredFile> {
    return this.#turns.run(async () => {
      const present = await this.#keepIfIntact(sha512)
      if (present !== undefined) {
        await rm(path, { force: true })
        return present
      }
      await writeDurably(this.#labelFile(sha512), JSON.stringify({ name }))
      await moveDurably(path, this.pathOf({ sha512 }))
      return await this.#keep({ sha512, name, size, storedAt: 0 })
    })
  }

  async #keep(file: StoredFile): Promise<StoredFile> {
    const now = new Date()
    await utimes(this.pathOf(file), now, now)
    return this.#index.add({ ...file, storedAt: now.getTime() })
  }

  keepIfIntact(sha512: string): Promise<StoredFile | undefined> {
    return this.#turns.run(() => this.#keepIfIntact(sha512))
  }

  async #keepIfIntact(sha512: string): Promise<StoredFile | undefined> {
    const file = this.find(sha512)
    return file !== undefined && (await this.#isIntact(file)) ? await this.#keep(file) : undefined
  }

  async open(file: StoredFile): Promise<FileHandle> {
    const handle = await open(this.pathOf(file)).catch(() => undefined)
    if (handle === undefined) return this.#forgetDamaged(file)
    try {
      const { size } = await handle.stat()
      if (size !== file.size) this.#forgetDamaged(file)
      return handle
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  /** Deletes the file at once. Downloads of it that have begun go on, except on Windows, where it throws until they have ended. */
  remove(file: StoredFile): Promise<boolean> {
    return this.#turns.run(async () => {
      if (this.find(file.sha512) !== file) return false
      await rm(this.pathOf(file), { force: true })
      await rm(this.#labelFile(file.sha512), { force: true })
      this.#index.forget(file)
      return true
    })
  }

  async #isIntact(file: StoredFile): Promise<boolean> {
    const found = await stat(this.pathOf(file)).catch(() => undefined)
    return found?.size === file.size
  }

  #labelFile(sha512: string): string {
    return join(this.#folder, `${sha512}.json`)
  }

  async #labelOf(sha512: string): Promise<string> {
    const text = await readFile(this.#labelFile(sha512), 'utf8').catch(() => '')
    try {
      return Label.parse(JSON.parse(text)).name
    } catch {
      return idOf({ sha512 })
    }
  }

  #forgetDamaged(file: StoredFile): never {
    this.#index.forget(file)
    throw new FileDamaged(file)
  }
}
