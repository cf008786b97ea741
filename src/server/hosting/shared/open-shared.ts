import { randomUUID } from 'node:crypto'
import { type FileHandle, link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AskedTimes } from '../bucket/asked-times.ts'
import { LazyBucket } from '../bucket/lazy-bucket.ts'
import type { BucketPlace } from '../bucket/readings.ts'
import { DAY } from '../bucket/s3-bucket.ts'
import { FileDamaged, FileFolder } from '../file-folder.ts'
import type { StoredFile } from '../file-index.ts'
import type { FileStore, FolderStore } from '../file-store.ts'
import type { FinishingOptions } from '../uploads/finishing.ts'
import type { SpaceLimits } from '../uploads/space.ts'
import type { UploadSharing, Uploads } from '../uploads/uploads.ts'
import { BucketPieces, FolderPieces } from './pieces.ts'
import { type FileRecord, ownRecords, type SharedHosting } from './records.ts'
import { SharedBucket } from './shared-bucket.ts'
import { SharedIncoming } from './shared-incoming.ts'
import { SharedStore, type SharedStoreParts } from './shared-store.ts'

interface Parts extends Pick<SharedStoreParts, 'onLost'> {
  /** Of the files, if they are not in a bucket. */
  readonly folder: string
  /** Of the uploads; only this node knows it if there is a bucket. */
  readonly uploads: string
  readonly bucket?: BucketPlace | undefined
  readonly shared: SharedHosting
  readonly space: SpaceLimits
  readonly receiving: FinishingOptions & UploadSharing
}

/** Opens the files and uploads that all nodes of a database share. Rejects as `FileRecords.claim` does. */
export async function openShared(
  parts: Parts,
): Promise<{ readonly stored: FileStore; readonly incoming: Uploads }> {
  const { folder, uploads, bucket: settings, shared, space, receiving, onLost } = parts
  const { onFailure, clock } = receiving
  const store = { records: shared.files, onLost, onFailure }
  const arriving = { folder: uploads, records: shared.uploads, space, ...receiving }
  if (settings === undefined) {
    await shared.files.claim(await placeOfFolder(folder), folder)
    const stored = await SharedFolder.open(join(folder, 'files'), store)
    const pieces = await FolderPieces.open(uploads)
    return { stored, incoming: await SharedIncoming.open({ ...arriving, stored, pieces }) }
  }
  const address = `s3://${settings.bucket}/${settings.prefix}`
  await shared.files.claim(placeOfBucket(settings), address)
  const bucket = new LazyBucket(settings)
  const stored = await SharedBucket.open({ ...store, settings, bucket, clock })
  // What this node worked with before it ended: the pieces are in the bucket.
  await rm(uploads, { recursive: true, force: true })
  await mkdir(uploads, { recursive: true, mode: 0o700 })
  const pieces = new BucketPieces(bucket, settings.prefix, stored.ended)
  return { stored, incoming: await SharedIncoming.open({ ...arriving, stored, pieces }) }
}

interface OwnParts extends Pick<SharedStoreParts, 'onLost' | 'onFailure'> {
  /** Of the files, or of what their bucket cannot note. */
  readonly folder: string
  readonly bucket?: BucketPlace | undefined
  /** Unix time in milliseconds. */
  readonly clock: () => number
}

/** Opens the files of a server alone: what is in the folder or the bucket is the only state. Throws as `openFolder` does. */
export async function openOwn({
  folder,
  bucket: settings,
  ...parts
}: OwnParts): Promise<FileStore> {
  if (settings === undefined) return await openFolder(join(folder, 'files'))
  const asked = await AskedTimes.open(join(folder, 'asked.json'), DAY)
  const bucket = new LazyBucket(settings)
  return await SharedBucket.open({ ...parts, records: ownRecords(), settings, bucket, asked })
}

/** Opens a folder of files that nobody else uses; creates it if it is missing. Throws the error of the operating system. */
export async function openFolder(path: string): Promise<FolderStore> {
  const ignore = () => {}
  return await SharedFolder.open(path, { records: ownRecords(), onLost: ignore, onFailure: ignore })
}

/**
 * Returns what tells a folder from others, whatever its path on this computer: an ID in a file of it, which the first node
 * creates. Throws the error of the operating system if the folder cannot be used.
 */
async function placeOfFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'nodes.id')
  const known = await readFile(file, 'utf8').catch(() => '')
  if (known !== '') return known
  const own = join(folder, `nodes.id.${randomUUID()}`)
  await writeFile(own, randomUUID(), { mode: 0o600, flush: true })
  try {
    // Another node may create it at the same time. Some file servers have no links.
    await link(own, file).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') await rename(own, file)
    })
  } finally {
    await rm(own, { force: true })
  }
  return await readFile(file, 'utf8')
}

/** The same for a bucket. */
function placeOfBucket({ endpoint = '', bucket, prefix }: BucketPlace): string {
  return `s3://${bucket}/${prefix} ${endpoint}`
}

/**
 * The files of a folder that all nodes reach under some path. What is in it is known to all of them. A download goes on when its
 * file is removed, except on Windows, where that throws until it has ended.
 */
class SharedFolder extends SharedStore implements FolderStore {
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
    const store = async (record: FileRecord) => {
      const present = await this.#keepIfIntact(record)
      if (present !== undefined) {
        await rm(path, { force: true })
        return present
      }
      await this.#folder.take(path, facts)
      return await this.#keep(record, facts)
    }
    const stored = await this.records.exclusively(sha512, store, 'keeps')
    await this.refresh()
    return stored
  }

  async keepIfIntact(sha512: string): Promise<StoredFile | undefined> {
    const keep = (record: FileRecord) => this.#keepIfIntact(record)
    const kept = await this.records.exclusively(sha512, keep, 'keeps')
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
        try {
          await record.put({ ...(await this.#folder.read(sha512)), key: null })
        } catch (error) {
          // Another node may have deleted it meanwhile.
          if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
        }
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
    const storedAt = await this.#folder.touch(facts, (await record.get())?.storedAt ?? 0)
    await record.put({ ...{ sha512, name, size, storedAt }, key: null })
    return { sha512, name, size, storedAt }
  }
}
