import { join } from 'node:path'
import { Refusal } from '../../catalog/errors.ts'
import { Mutex } from '../../runtime/async/mutex.ts'
import type { StoredFile } from '../file-index.ts'
import type { BucketStore, DownloadMethod } from '../file-store.ts'
import { AskedTimes } from './asked-times.ts'
import type { BucketOutage } from './bucket-failure.ts'
import { BucketIndex } from './bucket-index.ts'
import { LazyBucket } from './lazy-bucket.ts'
import { objectKey, readObjectKey } from './object-key.ts'
import { type BucketPlace, BucketReadings } from './readings.ts'
import { DAY } from './s3-bucket.ts'
import { ADDRESS_LIFE, SignedAddresses } from './signed-addresses.ts'

export interface BucketParts {
  readonly settings: BucketPlace
  /** A folder of this computer, for what the bucket cannot note. */
  readonly folder: string
  /** Unix time in milliseconds. */
  readonly clock: () => number
  /** Hears why the bucket could not be read, or uploads that never ended could not be deleted. */
  readonly onFailure: (error: unknown) => void
  /** Hears of a file that is gone from the bucket, or has another size. */
  readonly onLost: (file: StoredFile) => void
}

/**
 * The files of a bucket, each under its SHA-512 and its name. The bucket is the only state: what is known of it in memory
 * is read at the start, and again every few minutes. Nobody who downloads causes a request to it.
 */
export class BucketFiles implements BucketStore {
  readonly kind = 'bucket'
  readonly #parts: BucketParts
  readonly #asked: AskedTimes
  readonly #known: BucketIndex
  readonly #addresses = new SignedAddresses()
  /** One file is sent at a time, in parts at the same time: so memory is bounded. */
  readonly #transfers = new Mutex()
  readonly #readings: BucketReadings
  readonly #bucket: LazyBucket

  private constructor(parts: BucketParts, asked: AskedTimes) {
    this.#parts = parts
    this.#asked = asked
    this.#bucket = new LazyBucket(parts.settings)
    this.#known = new BucketIndex({
      prefix: parts.settings.prefix,
      askedAt: (sha512) => asked.of(sha512),
      onLost: parts.onLost,
      onForgotten: (key) => this.#addresses.forget(key),
    })
    const { prefix } = parts.settings
    this.#readings = new BucketReadings({
      ...parts,
      bucket: this.#bucket,
      read: (s3, ended) => this.#known.read(s3.list(prefix, ended)),
      isOwn: (key) => readObjectKey(prefix, key) !== undefined,
    })
    this.#readings.start()
  }

  /** Begins to read the bucket, and does not wait for it. */
  static async open(parts: BucketParts): Promise<BucketFiles> {
    return new BucketFiles(parts, await AskedTimes.open(join(parts.folder, 'asked.json'), DAY))
  }

  get bytes(): number {
    return this.#known.files.bytes
  }

  list(): StoredFile[] {
    return this.#known.files.list()
  }

  find(id: string): StoredFile | undefined {
    return this.#known.files.find(id)
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

  async refresh(): Promise<void> {}

  async add(path: string, facts: Omit<StoredFile, 'storedAt'>): Promise<StoredFile> {
    const { stopped } = this.#readings
    const end = await this.#transfers.take(undefined, stopped)
    try {
      return (await this.keepIfIntact(facts.sha512)) ?? (await this.#store(path, facts, stopped))
    } finally {
      end()
    }
  }

  async keepIfIntact(sha512: string): Promise<StoredFile | undefined> {
    await this.ready()
    const key = this.#known.keyOf(sha512)
    if (this.find(sha512) === undefined || key === undefined) return undefined
    const size = await (await this.#bucket.s3()).sizeOf(key)
    const current = this.find(sha512)
    // It was taken away meanwhile.
    if (current === undefined) return undefined
    if (size === current.size) return await this.#keep(current, key)
    this.#known.lose(current, size)
    return undefined
  }

  async remove(file: StoredFile): Promise<boolean> {
    const key = this.#known.keyOf(file.sha512)
    if (this.find(file.sha512) !== file || key === undefined) return false
    this.#known.removal.add(file, key)
    this.#known.forget(file)
    return true
  }

  async deleteRemoved(): Promise<void> {
    const s3 = await this.#bucket.s3()
    await this.#known.removal.run(
      (key) => s3.remove(key),
      (file, key) => this.#known.add(file, key),
    )
  }

  async addressOf({ sha512 }: StoredFile, method: DownloadMethod): Promise<string> {
    const key = this.#known.keyOf(sha512) ?? ''
    const sign = async () => await (await this.#bucket.s3()).sign(method, key, ADDRESS_LIFE)
    return await this.#addresses.of(method, key, sign)
  }

  async stop(): Promise<void> {
    await this.#readings.stop()
    await this.#bucket.close()
  }

  async #store(
    path: string,
    facts: Omit<StoredFile, 'storedAt'>,
    signal: AbortSignal,
  ): Promise<StoredFile> {
    const s3 = await this.#bucket.s3()
    const { prefix, bucket } = this.#parts.settings
    const { size } = facts
    const key = objectKey(prefix, facts)
    await this.#known.removal.cancel(facts.sha512)
    await s3.put(path, key, facts, signal)
    if ((await s3.sizeOf(key)) !== size) {
      const trouble = { trouble: 'rejected', detail: 'size' } as const
      throw new Refusal({ code: 'bucket_unavailable', bucket, ...trouble })
    }
    return await this.#keep(facts, key)
  }

  /** Known before it is noted, so that nobody takes it away in between. */
  async #keep(file: Omit<StoredFile, 'storedAt'>, key: string): Promise<StoredFile> {
    const now = this.#parts.clock()
    const { sha512, name, size } = file
    const kept = this.#known.add({ sha512, name, size, storedAt: now }, key)
    await this.#asked.note(sha512, now)
    return kept
  }
}
