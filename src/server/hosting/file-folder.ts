import { type FileHandle, mkdir, open, readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { parsedJson } from '../../shared/basics/parsed-json.ts'
import { HostedFileName } from '../../shared/files/hosted-file.ts'
import { moveDurably, writeDurably } from './durable.ts'
import { idOf, laterThan, type StoredFile } from './file-index.ts'

const HASH = /^[0-9a-f]{128}$/
const Label = z.object({ name: HostedFileName })

/** A stored file is gone from the folder, or has another size. */
export class FileDamaged extends Error {
  override readonly name = 'FileDamaged'
  readonly file: StoredFile

  constructor(file: StoredFile) {
    super(`${file.name} (${file.sha512}) was changed or deleted in the folder of artifacts`)
    this.file = file
  }
}

/** A folder of files, each named by its SHA-512, with its name in a JSON file beside it. Whoever writes takes turns. */
export class FileFolder {
  readonly #folder: string

  private constructor(folder: string) {
    this.#folder = folder
  }

  /** Creates the folder if it is missing. Throws the error of the operating system if that is impossible. */
  static async open(folder: string): Promise<FileFolder> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return new FileFolder(folder)
  }

  /** The SHA-512 of every file. */
  async hashes(): Promise<string[]> {
    return (await readdir(this.#folder)).filter((name) => HASH.test(name))
  }

  /** Reads what is known of a file. Throws the error of the operating system if it is not there. */
  async read(sha512: string): Promise<StoredFile> {
    const { size, mtimeMs } = await stat(this.pathOf({ sha512 }))
    return { sha512, name: await this.#labelOf(sha512), size, storedAt: mtimeMs }
  }

  pathOf({ sha512 }: Pick<StoredFile, 'sha512'>): string {
    return join(this.#folder, sha512)
  }

  /** Takes a file over from elsewhere on the same disk. It is there after a crash, too. */
  async take(path: string, { sha512, name }: Pick<StoredFile, 'sha512' | 'name'>): Promise<void> {
    await writeDurably(this.#labelFile(sha512), JSON.stringify({ name }))
    await moveDurably(path, this.pathOf({ sha512 }))
  }

  /** Counts a file as stored now, and after `before`. Returns the Unix time in milliseconds. */
  async touch(file: Pick<StoredFile, 'sha512'>, before: number): Promise<number> {
    const now = new Date(laterThan(before, Date.now()))
    await utimes(this.pathOf(file), now, now)
    return now.getTime()
  }

  /** Opens a file for reading; undefined if it is gone, or has another size. */
  async open(file: StoredFile): Promise<FileHandle | undefined> {
    const handle = await open(this.pathOf(file)).catch(() => undefined)
    if (handle === undefined) return undefined
    try {
      if ((await handle.stat()).size === file.size) return handle
    } catch (error) {
      await handle.close()
      throw error
    }
    await handle.close()
    return undefined
  }

  async isIntact(file: StoredFile): Promise<boolean> {
    const found = await stat(this.pathOf(file)).catch(() => undefined)
    return found?.size === file.size
  }

  async remove({ sha512 }: Pick<StoredFile, 'sha512'>): Promise<void> {
    await rm(this.pathOf({ sha512 }), { force: true })
    await rm(this.#labelFile(sha512), { force: true })
  }

  #labelFile(sha512: string): string {
    return join(this.#folder, `${sha512}.json`)
  }

  async #labelOf(sha512: string): Promise<string> {
    return nameInLabel(await readFile(this.#labelFile(sha512), 'utf8').catch(() => ''), sha512)
  }
}

/** Returns the name in the JSON file beside a file; the ID of the file if it was lost. */
export function nameInLabel(text: string, sha512: string): string {
  return Label.safeParse(parsedJson(text)).data?.name ?? idOf({ sha512 })
}
