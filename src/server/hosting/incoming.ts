import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../catalog/errors.ts'
import type { BucketOutage } from './bucket/outage.ts'
import { writeDurably } from './durable.ts'
import type { StoredFile } from './file-index.ts'
import type { FileStore } from './file-store.ts'
import { Finishing, type FinishingOptions } from './finishing.ts'
import type { SpaceLimits } from './space.ts'
import { UploadHashes } from './upload-hashes.ts'
import { type NewUpload, readUploadInfo, type Upload } from './upload-info.ts'

/** Milliseconds without another byte after which an upload is deleted. */
export const UPLOAD_LIFE = 24 * 60 * 60_000
/** Uploads at the same time, of which each keeps its hash in memory. */
const MAX_UPLOADS = 100
const ID = /^[0-9a-f]{32}$/

interface IncomingParts extends FinishingOptions {
  readonly folder: string
  readonly stored: FileStore
  readonly space: SpaceLimits
}

/** Files that arrive in pieces: each as `<id>` with what is known of it in `<id>.json`. They survive a restart. */
export class Incoming {
  readonly #folder: string
  readonly #stored: FileStore
  readonly #space: SpaceLimits
  readonly #uploads = new Map<string, Upload>()
  readonly #hashes = new UploadHashes()
  /** Those that bytes arrive for at the moment. */
  readonly #active = new Set<string>()
  readonly #finishing: Finishing

  private constructor({ folder, stored, space, ...finishing }: IncomingParts) {
    this.#folder = folder
    this.#stored = stored
    this.#space = space
    this.#finishing = new Finishing(stored, finishing)
  }

  /** Reads the uploads that a server has left; creates the folder if it is missing. */
  static async open(parts: IncomingParts): Promise<Incoming> {
    const { folder } = parts
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const incoming = new Incoming(parts)
    for (const id of await readdir(folder)) {
      if (!ID.test(id)) continue
      const info = await readUploadInfo(`${join(folder, id)}.json`)
      const { size: offset, mtimeMs } = await stat(join(folder, id))
      if (info === undefined || offset > info.size) await incoming.#delete(id)
      else incoming.#uploads.set(id, { ...info, id, offset, touchedAt: mtimeMs })
    }
    return incoming
  }

  list(): Upload[] {
    return [...this.#uploads.values()]
  }

  /** Finds an upload, also one that has become a file since the start. */
  find(id: string): Upload | undefined {
    return this.#uploads.get(id) ?? this.#finishing.find(id)?.upload
  }

  /** Returns a new name for an upload. */
  static newId(): string {
    return randomBytes(16).toString('hex')
  }

  /** Begins an upload. Throws `hosting_full`, `too_many_uploads` and `bucket_unavailable`. */
  async create(id: string, owner: string, upload: NewUpload): Promise<Upload> {
    if (this.#uploads.size >= MAX_UPLOADS) {
      throw new Refusal({ code: 'too_many_uploads', maximum: MAX_UPLOADS })
    }
    const created: Upload = { ...upload, id, owner, offset: 0, touchedAt: Date.now() }
    // Before anything waits, so that what others begin meanwhile counts it.
    this.#uploads.set(id, created)
    try {
      await this.#stored.ready()
      await this.#space.require({ stored: this.#stored.bytes, uploads: this.list() })
      await writeDurably(this.#infoFile(id), JSON.stringify({ ...upload, owner }))
      await writeFile(this.#file(id), '', { flag: 'wx', mode: 0o600 })
    } catch (error) {
      await this.remove(id)
      throw error
    }
    return created
  }

  /**
   * Appends what `chunks` brings and returns the bytes that are there then, on disk. Keeps what has arrived if the
   * chunks fail, and throws their error. Throws `hosting_full` if others have filled the disk, and `upload_busy` while
   * other chunks are appended.
   */
  async append(id: string, chunks: AsyncIterable<Uint8Array>): Promise<number> {
    const upload = this.#require(id)
    if (this.#active.has(id)) throw new Refusal({ code: 'upload_busy' })
    this.#active.add(id)
    const handle = await open(this.#file(id), 'r+')
    let size = upload.offset
    try {
      const hashed = await this.#hashes.of(id, this.#file(id), upload.offset)
      for await (const chunk of chunks) {
        await writeAll(handle, chunk, hashed.offset)
        hashed.hash.update(chunk)
        hashed.offset += chunk.length
      }
    } catch (error) {
      // What is on disk may be more than what was hashed.
      this.#hashes.forget(id)
      throw isDiskFull(error)
        ? new Refusal({ code: 'hosting_full', limit: 'disk', missingBytes: upload.size - size })
        : error
    } finally {
      await handle.datasync()
      size = (await handle.stat()).size
      await handle.close()
      this.#uploads.set(id, { ...upload, offset: size, touchedAt: Date.now() })
      this.#active.delete(id)
    }
    return size
  }

  /**
   * Makes a file of an upload that is complete. `record` runs once, before that, when the content is known. Throws
   * `unknown_file_upload`, and as `Finishing.run` does.
   */
  async finish(id: string, record: (file: StoredFile) => Promise<void>): Promise<StoredFile> {
    const finished = this.#finishing.find(id)
    if (finished !== undefined) return finished.file
    const upload = this.#require(id)
    const path = this.#file(id)
    return await this.#finishing.run(upload, {
      path,
      digest: async () => {
        const { hash } = await this.#hashes.of(id, path, upload.size)
        return hash.copy().digest('hex')
      },
      record,
      discard: () => this.remove(id),
    })
  }

  /** Why uploads that have arrived cannot be stored; null if none waits. */
  get outage(): BucketOutage | null {
    return this.#finishing.outage
  }

  /** Stores uploads that have arrived and could not be stored. Throws as `Finishing.retry` does. */
  async retry(ended: AbortSignal): Promise<void> {
    await this.#finishing.retry(ended)
  }

  /** Deletes the uploads to which nothing was added for a day. */
  async expire(now: number): Promise<void> {
    for (const { id, touchedAt } of this.list()) {
      const isIdle = !this.#active.has(id) && !this.#finishing.isRunning(id)
      if (isIdle && now - touchedAt > UPLOAD_LIFE) await this.remove(id)
    }
  }

  /** Deletes an upload; does nothing if it is gone. */
  async remove(id: string): Promise<void> {
    if (!this.#uploads.has(id)) return
    this.#uploads.delete(id)
    this.#hashes.forget(id)
    this.#finishing.forget(id)
    await this.#delete(id)
  }

  #require(id: string): Upload {
    const upload = this.#uploads.get(id)
    if (upload === undefined) throw new Refusal({ code: 'unknown_file_upload' })
    return upload
  }

  #file(id: string): string {
    return join(this.#folder, id)
  }

  #infoFile(id: string): string {
    return join(this.#folder, `${id}.json`)
  }

  async #delete(id: string): Promise<void> {
    await rm(this.#file(id), { force: true })
    await rm(this.#infoFile(id), { force: true })
  }
}

async function writeAll(handle: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  let done = 0
  while (done < chunk.length) {
    const left = chunk.length - done
    done += (await handle.write(chunk, done, left, position + done)).bytesWritten
  }
}

function isDiskFull(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ENOSPC' || code === 'EDQUOT'
}
