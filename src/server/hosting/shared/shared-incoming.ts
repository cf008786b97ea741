import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { AuditEntry } from '../../catalog/audit-log.ts'
import { Refusal } from '../../catalog/errors.ts'
import { type BucketOutage, outageOf } from '../bucket/bucket-failure.ts'
import { writeAll } from '../durable.ts'
import type { StoredFile } from '../file-index.ts'
import type { FileStore } from '../file-store.ts'
import { Finishing, type FinishingOptions } from '../uploads/finishing.ts'
import type { SpaceLimits } from '../uploads/space.ts'
import type { NewUpload, Upload, UploadSharing, Uploads } from '../uploads/uploads.ts'
import { UPLOAD_LIFE } from '../uploads/uploads.ts'
import type { PiecePlace } from './pieces.ts'
import type { SharedUpload, UploadRecords } from './records.ts'
import { ArrivingPiece, takePieces } from './take-pieces.ts'

interface Parts extends FinishingOptions, UploadSharing {
  /** For what only this node works with; on the disk of the stored files if they are in a folder. */
  readonly folder: string
  readonly records: UploadRecords
  readonly pieces: PiecePlace
  readonly stored: FileStore
  readonly space: SpaceLimits
}

/**
 * Uploads that any node goes on with. Whatever a node receives is a piece of its own, and belongs to the upload once its
 * record says so, which only one of those can that begin at the same byte: so no lock is needed, and what a node that is
 * out of contact still writes is in no upload.
 */
export class SharedIncoming implements Uploads {
  readonly #parts: Parts
  readonly #finishing: Finishing
  /** Why the last piece could not be kept; null if it was. */
  #refused: BucketOutage | null = null

  private constructor(parts: Parts) {
    this.#parts = parts
    this.#finishing = new Finishing(parts.stored, parts)
  }

  /** Creates the folder if it is missing. */
  static async open(parts: Parts): Promise<SharedIncoming> {
    await mkdir(parts.folder, { recursive: true, mode: 0o700 })
    return new SharedIncoming(parts)
  }

  list(): Promise<SharedUpload[]> {
    return this.#parts.records.list()
  }

  find(id: string): Promise<SharedUpload | undefined> {
    return this.#parts.records.find(id)
  }

  async create(id: string, owner: string, upload: NewUpload): Promise<Upload> {
    const { records, stored, space, clock, shares } = this.#parts
    await stored.ready()
    const created: Upload = { ...upload, id, owner, offset: 0, touchedAt: clock() }
    const shareOf = await shares()
    let given: readonly Upload[] = []
    await records.create(created, async (uploads) => {
      await stored.refresh()
      const now = clock()
      given = await space.admit(id, 'all', { stored: stored.bytes, uploads, shareOf, now })
    })
    await this.#drop(given)
    return created
  }

  async append(id: string, offset: number, chunks: AsyncIterable<Uint8Array>): Promise<number> {
    const upload = await this.#require(id)
    if (upload.offset !== offset || upload.file !== null) throw new Refusal({ code: 'upload_busy' })
    try {
      const arrived = await takePieces(
        { ...this.#parts, admit: () => this.#admit(id) },
        upload,
        chunks,
      )
      if (arrived > offset) this.#refused = null
      return arrived
    } catch (error) {
      this.#refused = outageOf(error, this.#refused?.since ?? this.#parts.clock()) ?? this.#refused
      throw error
    }
  }

  async finish(id: string, entryOf: (file: StoredFile) => AuditEntry): Promise<StoredFile> {
    const upload = await this.#require(id)
    if (upload.file !== null) return this.#stored(upload, upload.file)
    if (upload.offset !== upload.size) throw new Refusal({ code: 'upload_busy' })
    const path = join(this.#parts.folder, `${id}-${randomBytes(8).toString('hex')}.all`)
    try {
      return await this.#finishing.run(upload, {
        path,
        digest: () => this.#assemble(id, path),
        record: (file) => this.#parts.records.record(id, entryOf(file)),
        discard: (file) => this.#discard(id, path, file),
      })
    } catch (error) {
      const now = await this.find(id).catch(() => undefined)
      // Another node has made the file of it meanwhile, and deleted the pieces.
      if (now !== undefined && now.file !== null) return this.#stored(now, now.file)
      throw error
    }
  }

  get outage(): BucketOutage | null {
    return this.#finishing.outage ?? this.#refused
  }

  async retry(ended: AbortSignal): Promise<void> {
    await this.#finishing.retry(ended)
    if (this.#refused !== null && !ended.aborted) await this.#tryPiece()
  }

  async expire(now: number): Promise<void> {
    const { records, pieces } = this.#parts
    const since = now - UPLOAD_LIFE
    await this.dropRevoked()
    for (const id of await records.idle(since)) await this.remove(id)
    const old = await pieces.keptBefore(since)
    const known = await records.known(old)
    for (const name of old) if (!known.has(name)) await pieces.remove(name)
  }

  async dropRevoked(): Promise<void> {
    const shareOf = await this.#parts.shares()
    await this.#drop((await this.list()).filter(({ owner }) => shareOf(owner) === undefined))
  }

  async remove(id: string): Promise<void> {
    const names = await this.#parts.records.pieces(id)
    await this.#parts.records.remove(id)
    this.#finishing.forget(id)
    await this.#removePieces(names)
  }

  /** Lets the next piece begin: see `SpaceLimits.admit`. Those that others begin meanwhile are within their reserve. */
  async #admit(id: string): Promise<void> {
    const { records, stored, space, clock, shares } = this.#parts
    const [shareOf, uploads] = [await shares(), await records.list()]
    await stored.refresh()
    const now = clock()
    await this.#drop(await space.admit(id, 'next', { stored: stored.bytes, uploads, shareOf, now }))
  }

  async #drop(uploads: readonly Upload[]): Promise<void> {
    for (const upload of uploads) {
      await this.remove(upload.id)
      this.#parts.onDropped(upload)
    }
  }

  /** Keeps a piece of no upload and deletes it, to know whether the others would be kept again. */
  async #tryPiece(): Promise<void> {
    const { folder, pieces } = this.#parts
    const piece = await ArrivingPiece.begin(folder, randomBytes(16).toString('hex'))
    try {
      await piece.write(Buffer.of(0))
      await piece.end()
      await pieces.keep(piece.path, piece.name)
    } finally {
      await piece.discard()
    }
    this.#refused = null
    await pieces.remove(piece.name)
  }

  async #require(id: string): Promise<SharedUpload> {
    const upload = await this.find(id)
    if (upload === undefined) throw new Refusal({ code: 'unknown_file_upload' })
    return upload
  }

  #stored({ name, size, touchedAt: storedAt }: Upload, sha512: string): StoredFile {
    return this.#parts.stored.find(sha512) ?? { sha512, name, size, storedAt }
  }

  /** Writes all pieces to one file of this node. Returns its SHA-512 in lower-case hex. */
  async #assemble(id: string, path: string): Promise<string> {
    const { records, pieces } = this.#parts
    const hash = createHash('sha512')
    const handle = await open(path, 'w', 0o600)
    try {
      let position = 0
      for (const name of await records.pieces(id)) {
        for await (const chunk of pieces.read(name)) {
          await writeAll(handle, chunk, position)
          hash.update(chunk)
          position += chunk.length
        }
      }
      await handle.datasync()
    } catch (error) {
      await rm(path, { force: true })
      throw error
    } finally {
      await handle.close()
    }
    return hash.digest('hex')
  }

  async #discard(id: string, path: string, file: StoredFile | null): Promise<void> {
    await rm(path, { force: true })
    if (file === null) return await this.remove(id)
    const names = await this.#parts.records.pieces(id)
    await this.#parts.records.finish(id, file.sha512)
    await this.#removePieces(names)
  }

  /** What cannot be deleted now is deleted a day later. */
  async #removePieces(names: readonly string[]): Promise<void> {
    for (const name of names) {
      await this.#parts.pieces.remove(name).catch(this.#parts.onFailure)
    }
  }
}
