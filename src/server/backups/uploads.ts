import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { UploadDetails, UploadedBackup } from '../../shared/console/settings/backups.ts'
import { Refusal } from '../catalog/errors.ts'
import { freeBytesOf } from '../hosting/uploads/space.ts'
import { StorageError } from '../storage/interface/storage-error.ts'
import { storageError } from '../storage/open-storage.ts'

const FILE = 'uploaded-backup.db'
/** Bytes after which the free space is looked at again. */
const STEP = 32 * 1_024 * 1_024
/** Milliseconds for which an upload that nobody restores is kept. */
const KEPT = 30 * 60_000

export interface KeptUpload extends UploadDetails {
  readonly id: string
  readonly file: string
}

export interface UploadParts {
  readonly dataFolder: string
  /** Bytes that stay free on the disk. */
  readonly reserve: number
  /** Returns the free bytes on the folder's disk that this account can use. */
  readonly freeBytes?: ((folder: string) => Promise<number>) | undefined
}

/** Receives a backup to restore into a temporary file of the data folder, one at a time. The next one replaces it. */
export class BackupUploads {
  readonly #folder: string
  readonly #file: string
  readonly #reserve: number
  readonly #freeBytes: (folder: string) => Promise<number>
  readonly #stopped = new AbortController()
  #kept: KeptUpload | undefined
  #expiry: NodeJS.Timeout | undefined
  #isBusy = false

  constructor({ dataFolder, reserve, freeBytes = freeBytesOf }: UploadParts) {
    this.#folder = dataFolder
    this.#file = join(dataFolder, FILE)
    this.#reserve = reserve
    this.#freeBytes = freeBytes
  }

  /** Deletes what a server that was killed left. */
  async start(): Promise<void> {
    await this.#remove()
  }

  /** Ends an upload under way, and deletes what is kept. */
  async stop(): Promise<void> {
    this.#stopped.abort(new StorageError({ code: 'closed', file: this.#file }))
    await this.#remove()
  }

  /** Throws what `receive` would throw for that many bytes: `restore_busy`, or `StorageError` `full`. */
  async check(bytes: number): Promise<void> {
    if (this.#isBusy) throw new Refusal({ code: 'restore_busy' })
    await this.#requireSpace(bytes)
  }

  /**
   * Receives a file to its end. `bytes`: what the sender announces, 0 if it does not say. Throws `restore_busy` while
   * another one is received or read, and `StorageError` (`full` where it would take the last space); nothing is left
   * behind then, nor when the sender goes away.
   */
  async receive(body: Readable, details: UploadDetails, bytes: number): Promise<UploadedBackup> {
    return await this.#alone(async () => {
      await this.#remove()
      await this.#requireSpace(bytes)
      const { signal } = this.#stopped
      try {
        const file = createWriteStream(this.#file, { flags: 'wx', mode: 0o600 })
        // Kept when it is refused midway, so that the sender gets an answer.
        const chunks = body.iterator({ destroyOnReturn: false })
        await pipeline(this.#bounded(chunks), file, { signal })
        const id = randomBytes(16).toString('base64url')
        this.#kept = { ...details, id, file: this.#file }
        this.#expiry = setTimeout(() => void this.discard(id).catch(() => {}), KEPT).unref()
        return { id, bytes: file.bytesWritten }
      } catch (error) {
        await rm(this.#file, { force: true })
        throw storageError(error, this.#file)
      }
    })
  }

  /** Runs `work` with an upload, which stays meanwhile. Throws `unknown_upload` and `restore_busy`. */
  async use<T>(id: string, work: (upload: KeptUpload) => Promise<T>): Promise<T> {
    const kept = this.#kept
    if (kept?.id !== id) throw new Refusal({ code: 'unknown_upload' })
    return await this.#alone(() => work(kept))
  }

  /** Deletes an upload; does nothing if it is gone. Throws `restore_busy`. */
  async discard(id: string): Promise<void> {
    if (this.#kept?.id === id) await this.#alone(() => this.#remove())
  }

  async #alone<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isBusy) throw new Refusal({ code: 'restore_busy' })
    this.#isBusy = true
    try {
      return await work()
    } finally {
      this.#isBusy = false
    }
  }

  async #remove(): Promise<void> {
    clearTimeout(this.#expiry)
    this.#kept = undefined
    await rm(this.#file, { force: true })
  }

  async *#bounded(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let since = 0
    for await (const chunk of chunks) {
      since += chunk.length
      if (since >= STEP) {
        await this.#requireSpace(0)
        since = 0
      }
      yield chunk
    }
  }

  async #requireSpace(bytes: number): Promise<void> {
    const freeBytes = await this.#freeBytes(this.#folder)
    const neededBytes = bytes + this.#reserve
    if (freeBytes >= neededBytes) return
    const circumstance = { kind: 'too_little_space', neededBytes, freeBytes } as const
    throw new StorageError({ code: 'full', file: this.#folder, circumstance })
  }
}
