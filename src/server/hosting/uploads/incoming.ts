import { mkdir, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AuditEntry } from '../../catalog/audit-log.ts'
import { Refusal } from '../../catalog/errors.ts'
import { Mutex } from '../../runtime/async/mutex.ts'
import type { BucketOutage } from '../bucket/bucket-failure.ts'
import { isDiskFull, writeAll, writeDurably } from '../durable.ts'
import type { StoredFile } from '../file-index.ts'
import type { FileStore } from '../file-store.ts'
import { Finishing, type FinishingOptions } from './finishing.ts'
import { RESERVE, touched } from './shares.ts'
import type { SpaceLimits } from './space.ts'
import { UploadHashes } from './upload-hashes.ts'
import type { NewUpload, Upload, UploadSharing, Uploads } from './uploads.ts'
import { readUploadInfo, UPLOAD_LIFE } from './uploads.ts'

const ID = /^[0-9a-f]{32}$/

interface IncomingParts extends FinishingOptions, UploadSharing {
  readonly folder: string
  readonly stored: FileStore
  readonly space: SpaceLimits
  /** Writes to the audit log. */
  readonly record: (entry: AuditEntry) => Promise<void>
}

/** The uploads of one server: each as `<id>` with what is known of it in `<id>.json`. They survive a restart. */
export class Incoming implements Uploads {
  readonly #parts: IncomingParts
  readonly #uploads = new Map<string, Upload>()
  readonly #hashes = new UploadHashes()
  /** Those that bytes arrive for at the moment, of which not all may be on disk. */
  readonly #active = new Map<string, Pick<Upload, 'offset' | 'touchedAt'>>()
  /** One upload gets space at a time, so that none is given twice. */
  readonly #admission = new Mutex()
  readonly #finishing: Finishing

  private constructor(parts: IncomingParts) {
    this.#parts = parts
    this.#finishing = new Finishing(parts.stored, parts)
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

  async list(): Promise<Upload[]> {
    return this.#all()
  }

  async find(id: string): Promise<Upload | undefined> {
    return this.#uploads.get(id) ?? this.#finishing.find(id)?.upload
  }

  async create(id: string, owner: string, upload: NewUpload): Promise<Upload> {
    const created: Upload = { ...upload, id, owner, offset: 0, touchedAt: this.#parts.clock() }
    // Before anything waits, so that what others begin meanwhile counts it.
    this.#uploads.set(id, created)
    try {
      await this.#parts.stored.ready()
      await this.#admit(id, 'all')
      await writeDurably(this.#infoFile(id), JSON.stringify({ ...upload, owner }))
      await writeFile(this.#file(id), '', { flag: 'wx', mode: 0o600 })
    } catch (error) {
      await this.remove(id)
      throw error
    }
    return created
  }

  async append(id: string, offset: number, chunks: AsyncIterable<Uint8Array>): Promise<number> {
    const upload = this.#require(id)
    if (this.#active.has(id) || upload.offset !== offset) throw new Refusal({ code: 'upload_busy' })
    const active = { offset, touchedAt: upload.touchedAt }
    this.#active.set(id, active)
    const handle = await open(this.#file(id), 'r+')
    let size = upload.offset
    let admitted = offset
    try {
      const hashed = await this.#hashes.of(id, this.#file(id), upload.offset)
      for await (const chunk of chunks) {
        this.#require(id)
        if (hashed.offset + chunk.length > admitted) {
          await this.#admit(id, 'next')
          admitted = hashed.offset + RESERVE
        }
        await writeAll(handle, chunk, hashed.offset)
        hashed.hash.update(chunk)
        hashed.offset += chunk.length
        active.offset = hashed.offset
        active.touchedAt = touched(active.touchedAt, chunk.length, this.#parts.clock())
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
      const { touchedAt } = active
      if (this.#uploads.has(id)) this.#uploads.set(id, { ...upload, offset: size, touchedAt })
      this.#active.delete(id)
    }
    return size
  }

  async finish(id: string, entryOf: (file: StoredFile) => AuditEntry): Promise<StoredFile> {
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
      record: (file) => this.#parts.record(entryOf(file)),
      discard: () => this.remove(id),
    })
  }

  get outage(): BucketOutage | null {
    return this.#finishing.outage
  }

  async retry(ended: AbortSignal): Promise<void> {
    await this.#finishing.retry(ended)
  }

  async expire(now: number): Promise<void> {
    await this.dropRevoked()
    for (const { id, touchedAt } of this.#all()) {
      const isIdle = !this.#active.has(id) && !this.#finishing.isRunning(id)
      if (isIdle && now - touchedAt > UPLOAD_LIFE) await this.remove(id)
    }
  }

  async dropRevoked(): Promise<void> {
    const shareOf = await this.#parts.shares()
    await this.#drop(this.#all().filter(({ owner }) => shareOf(owner) === undefined))
  }

  async remove(id: string): Promise<void> {
    if (!this.#uploads.has(id)) return
    this.#uploads.delete(id)
    this.#hashes.forget(id)
    this.#finishing.forget(id)
    await this.#delete(id)
  }

  /** See `SpaceLimits.admit`. */
  async #admit(id: string, wants: 'all' | 'next'): Promise<void> {
    await this.#admission.run(async () => {
      const shareOf = await this.#parts.shares()
      const uploads = this.#all().map((each) => ({ ...each, ...this.#active.get(each.id) }))
      const taken = { stored: this.#parts.stored.bytes, uploads, shareOf, now: this.#parts.clock() }
      await this.#drop(await this.#parts.space.admit(id, wants, taken))
    })
  }

  async #drop(uploads: readonly Upload[]): Promise<void> {
    for (const upload of uploads) {
      if (!this.#uploads.has(upload.id)) continue
      await this.remove(upload.id)
      this.#parts.onDropped(upload)
    }
  }

  #all(): Upload[] {
    return [...this.#uploads.values()]
  }

  #require(id: string): Upload {
    const upload = this.#uploads.get(id)
    if (upload === undefined) throw new Refusal({ code: 'unknown_file_upload' })
    return upload
  }

  #file(id: string): string {
    return join(this.#parts.folder, id)
  }

  #infoFile(id: string): string {
    return join(this.#parts.folder, `${id}.json`)
  }

  async #delete(id: string): Promise<void> {
    await rm(this.#file(id), { force: true })
    await rm(this.#infoFile(id), { force: true })
  }
}
