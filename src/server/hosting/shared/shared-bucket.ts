import { Refusal } from '../../catalog/errors.ts'
import { Mutex } from '../../runtime/async/mutex.ts'
import { ADDRESS_LIFE, type AskedTimes, SignedAddresses } from '../bucket/asked-times.ts'
import type { BucketOutage } from '../bucket/bucket-failure.ts'
import type { LazyBucket } from '../bucket/lazy-bucket.ts'
import { objectKey, readObjectKey } from '../bucket/object-key.ts'
import { type BucketPlace, BucketReadings } from '../bucket/readings.ts'
import type { S3Bucket } from '../bucket/s3-bucket.ts'
import { laterThan, type StoredFile } from '../file-index.ts'
import type { BucketStore, DownloadMethod } from '../file-store.ts'
import { isPieceKey } from './pieces.ts'
import type { FileRecord, SharedFile } from './records.ts'
import { SharedStore, type SharedStoreParts } from './shared-store.ts'

interface Parts extends SharedStoreParts {
  readonly settings: BucketPlace
  readonly bucket: LazyBucket
  /** Unix time in milliseconds. */
  readonly clock: () => number
  /** When the files of a server alone were last asked for; absent if the records outlast it. */
  readonly asked?: AskedTimes
}

/**
 * The files of a bucket, each under its SHA-512 and its name, that all nodes use. Nobody who downloads causes a request to it. An
 * object is deleted, and found to be there, while no other node stores or
 * removes the same file, so that none is deleted that another node has just stored.
 */
export class SharedBucket extends SharedStore implements BucketStore {
  readonly kind = 'bucket'
  readonly #parts: Parts
  readonly #addresses = new SignedAddresses()
  /** One file is sent at a time, in parts at the same time: so memory is bounded. */
  readonly #transfers = new Mutex()
  readonly #readings: BucketReadings
  /** Files whose objects this node has to delete, by SHA-512. */
  readonly #removed = new Map<string, SharedFile>()
  /** Those that it has deleted since it began to read the bucket. */
  readonly #deleted = new Set<string>()

  private constructor(parts: Parts) {
    super(parts)
    const { prefix } = parts.settings
    this.#parts = parts
    this.#readings = new BucketReadings({
      ...parts,
      read: (s3, ended) => this.#read(s3, ended),
      isOwn: (key) => isPieceKey(prefix, key) || readObjectKey(prefix, key) !== undefined,
    })
  }

  /** Begins to read the bucket, and does not wait for it. */
  static async open(parts: Parts): Promise<SharedBucket> {
    const files = new SharedBucket(parts)
    await files.refresh()
    files.follow()
    files.#readings.start()
    return files
  }

  /** Aborts when it stops. */
  get ended(): AbortSignal {
    return this.#readings.stopped
  }

  get outage(): BucketOutage | null {
    return this.#readings.outage
  }

  async ready(): Promise<void> {
    await this.#readings.ready()
  }

  requireReady(): void {
    this.#readings.requireReady()
  }

  async add(path: string, facts: Omit<StoredFile, 'storedAt'>): Promise<StoredFile> {
    const end = await this.#transfers.take(undefined, this.ended)
    try {
      return (await this.keepIfIntact(facts.sha512)) ?? (await this.#store(path, facts))
    } finally {
      end()
    }
  }

  async keepIfIntact(sha512: string): Promise<StoredFile | undefined> {
    await this.ready()
    const s3 = await this.#parts.bucket.s3()
    const keep = async (record: FileRecord) => {
      const file = await record.get()
      if (file === undefined || file.key === null) return undefined
      if ((await s3.sizeOf(file.key)) === file.size) return await this.#keep(record, file, file.key)
      if (!file.lost) await this.lose(record, file)
      return undefined
    }
    const kept = await this.records.exclusively(sha512, keep, 'keeps')
    await this.refresh()
    return kept
  }

  async remove(file: StoredFile): Promise<boolean> {
    const known = this.recordOf(file.sha512)
    if (known === undefined) return false
    const isTaken = await this.take(file, async () => {})
    if (isTaken) this.#removed.set(known.sha512, known)
    return isTaken
  }

  async deleteRemoved(): Promise<void> {
    const s3 = await this.#parts.bucket.s3()
    const failures: unknown[] = []
    for (const file of [...this.#removed.values()]) {
      const { sha512, key } = file
      await this.records.exclusively(sha512, async (record) => {
        if (!this.#removed.delete(sha512)) return
        if (key === null || (await record.get()) !== undefined) return
        this.#deleted.add(sha512)
        await s3.remove(key).catch(async (error: unknown) => {
          failures.push(error)
          await record.put(file)
        })
      })
      if (key !== null) this.#addresses.forget(key)
    }
    await this.refresh()
    if (failures.length > 0) throw failures[0]
  }

  async addressOf({ sha512 }: StoredFile, method: DownloadMethod): Promise<string> {
    const key = this.recordOf(sha512)?.key ?? ''
    const sign = async () => await (await this.#parts.bucket.s3()).sign(method, key, ADDRESS_LIFE)
    return await this.#addresses.of(method, key, sign)
  }

  override async stop(): Promise<void> {
    await Promise.all([this.#readings.stop(), super.stop()])
    await this.#parts.bucket.close()
  }

  async #store(path: string, facts: Omit<StoredFile, 'storedAt'>): Promise<StoredFile> {
    const { prefix, bucket } = this.#parts.settings
    const s3 = await this.#parts.bucket.s3()
    const key = objectKey(prefix, facts)
    // Not while it is being deleted.
    await this.records.exclusively(facts.sha512, async () => this.#removed.delete(facts.sha512))
    await s3.put(path, key, facts, this.ended)
    const keep = async (record: FileRecord) => {
      if ((await s3.sizeOf(key)) === facts.size) return await this.#keep(record, facts, key)
      const trouble = { trouble: 'rejected', detail: 'size' } as const
      throw new Refusal({ code: 'bucket_unavailable', bucket, ...trouble })
    }
    const stored = await this.records.exclusively(facts.sha512, keep, 'keeps')
    await this.refresh()
    return stored
  }

  async #keep(
    record: FileRecord,
    { sha512, name, size }: Omit<StoredFile, 'storedAt'>,
    key: string,
  ): Promise<StoredFile> {
    const { clock, asked } = this.#parts
    const storedAt = laterThan((await record.get())?.storedAt ?? 0, clock())
    const kept = { sha512, name, size, storedAt }
    await record.put({ ...kept, key })
    await asked?.note(sha512, storedAt)
    return kept
  }

  /** Compares what is known with what is in the bucket. */
  async #read(s3: S3Bucket, ended: AbortSignal): Promise<void> {
    const { prefix } = this.#parts.settings
    this.#deleted.clear()
    await this.refresh()
    const known = this.list()
    const seen = new Set<string>()
    for await (const { key, size, modifiedAt } of s3.list(prefix, ended)) {
      const file = readObjectKey(prefix, key)
      if (file === undefined) continue
      const record = this.recordOf(file.sha512)
      if (record !== undefined && record.size === size && !record.lost) seen.add(file.sha512)
      else await this.#adopt({ ...file, size, storedAt: modifiedAt }, key)
    }
    for (const file of known) if (!seen.has(file.sha512)) await this.#verify(file)
    await this.refresh()
  }

  /** Adds a file that no node knows, or that was lost and is there again. */
  async #adopt(file: StoredFile, key: string): Promise<void> {
    const { asked, bucket } = this.#parts
    const { sha512, size } = file
    const s3 = await bucket.s3()
    await this.records.exclusively(sha512, async (record) => {
      const current = await record.get()
      if (current !== undefined && (!current.lost || current.size !== size)) return
      if (this.#removed.has(sha512)) return
      // It may have been deleted since it was listed.
      const isSure = asked !== undefined && !this.#deleted.has(sha512)
      if (!isSure && (await s3.sizeOf(key)) !== size) return
      await record.put({ ...file, storedAt: Math.max(file.storedAt, asked?.of(sha512) ?? 0), key })
    })
  }

  /** Asks before its turn, so that nobody who takes a file away waits for a request. */
  async #verify({ sha512 }: StoredFile): Promise<void> {
    const s3 = await this.#parts.bucket.s3()
    const asked = this.recordOf(sha512)
    if (asked === undefined || asked.key === null) return
    if ((await s3.sizeOf(asked.key)) === asked.size) return
    await this.records.exclusively(sha512, async (record) => {
      const file = await record.get()
      // It may have been kept, or removed and stored again, since then.
      if (file?.storedAt === asked.storedAt && !file.lost) await this.lose(record, file)
    })
  }
}
