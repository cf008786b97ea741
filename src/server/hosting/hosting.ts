import { join } from 'node:path'
import type { AuditEntry } from '../catalog/audit-log.ts'
import { Refusal } from '../catalog/errors.ts'
import { ScheduledJob } from '../runtime/async/scheduled-job.ts'
import { BlockMaps } from './block-maps/block-maps.ts'
import type { BucketOutage } from './bucket/bucket-failure.ts'
import type { BucketPlace } from './bucket/readings.ts'
import { Collection, type CollectionParts } from './collection.ts'
import { FileAddresses, hasName } from './file-addresses.ts'
import type { StoredFile } from './file-index.ts'
import type { FileStore } from './file-store.ts'
import { MakingQueue } from './making/making-queue.ts'
import { Patches, type PatchParts } from './patches/patches.ts'
import { openOwn, openShared } from './shared/open-shared.ts'
import type { SharedHosting } from './shared/records.ts'
import { Incoming } from './uploads/incoming.ts'
import { SpaceLimits, type SpaceOptions } from './uploads/space.ts'
import type { UploadSharing, Uploads } from './uploads/uploads.ts'

export interface HostingParts
  extends UploadSharing,
    Omit<CollectionParts, 'stored' | 'incoming'>,
    SpaceOptions {
  /** Of the files and unfinished uploads, or of the uploads alone; created if it is missing. */
  readonly folder: string
  /** Where the files are, if not in the folder. */
  readonly bucket?: BucketPlace | undefined
  /** What several nodes know together; undefined for one server. */
  readonly shared?: SharedHosting | undefined
  /** Writes to the audit log. */
  readonly record: (entry: AuditEntry) => Promise<void>
  /** Base address of the server as devices reach it, without a slash at its end. */
  readonly publicUrl: string
  /** Hears of a file that is gone from the bucket. */
  readonly onLost: (file: StoredFile) => void
  /** Hears why a block map or a patch could not be made. */
  readonly onMakingFailure: (error: unknown) => void
  /** Hears of an uploaded block map, by its name, that is not of the file. */
  readonly onMapRefused: (name: string, file: StoredFile) => void
  /** Which patches are made, and how much space they take. */
  readonly patching: Pick<PatchParts, 'catalog' | 'maxBytes'> & {
    readonly wanted: (stored: FileStore) => ReturnType<PatchParts['wanted']>
  }
  /** Hears why the bucket cannot be used. */
  readonly onBucketFailure: (error: unknown) => void
  /** Milliseconds for which whoever uploads waits until a file is stored. */
  readonly storeWithin: number
  /** Milliseconds for which a download waits for a block map that is being made. */
  readonly mapWithin: number
}

/** The files that the server keeps for devices to download. */
export class Hosting {
  readonly stored: FileStore
  readonly incoming: Uploads
  readonly collection: Collection
  readonly space: SpaceLimits
  readonly blockMaps: BlockMaps
  readonly patches: Patches
  readonly onFailure: HostingParts['onFailure']
  readonly #addresses: FileAddresses
  readonly #queue: MakingQueue
  /** Stores what could not be stored in the bucket; undefined without one. */
  readonly #retries: ScheduledJob | undefined

  private constructor(
    parts: Pick<Hosting, 'stored' | 'incoming' | 'collection' | 'space' | 'blockMaps' | 'patches'> &
      HostingParts,
    queue: MakingQueue,
  ) {
    this.stored = parts.stored
    this.incoming = parts.incoming
    this.collection = parts.collection
    this.space = parts.space
    this.blockMaps = parts.blockMaps
    this.patches = parts.patches
    this.#queue = queue
    this.patches.job.start()
    this.onFailure = parts.onFailure
    this.#addresses = new FileAddresses(parts.publicUrl)
    const { bucket, onBucketFailure } = parts
    if (bucket === undefined) return
    this.#retries = new ScheduledJob((ended) => this.#retry(ended), {
      ...{ every: bucket.lookAgain, onFailure: onBucketFailure },
    })
    this.#retries.start()
  }

  /** Reads the folder, and begins to read the bucket. Throws the error of the operating system if the folder cannot be used. */
  static async open(parts: HostingParts): Promise<Hosting> {
    const space = new SpaceLimits(parts)
    const { stored, incoming } = await openParts(parts, space)
    const { folder, clock, mapWithin: patience, onFailure, patching } = parts
    const queue = new MakingQueue()
    const making = { stored, queue, clock, onFailure: parts.onMakingFailure }
    const blockMaps = new BlockMaps({
      ...{ ...making, folder: join(folder, 'blockmaps'), patience },
      onRefused: parts.onMapRefused,
    })
    const patches = new Patches({
      ...{ ...making, ...patching, folder: join(folder, 'patches'), space },
      wanted: () => patching.wanted(stored),
    })
    const onDeleted = (file: StoredFile) => {
      parts.onDeleted(file)
      blockMaps.remove(file).catch(onFailure)
    }
    const collection = new Collection({ ...parts, stored, incoming, onDeleted })
    return new Hosting({ ...parts, stored, incoming, collection, space, blockMaps, patches }, queue)
  }

  /** Why the bucket cannot be read, or does not store what has arrived; null if it does, and for a folder. */
  get outage(): BucketOutage | null {
    if (this.stored.kind !== 'bucket') return null
    return this.stored.outage ?? this.incoming.outage
  }

  /** Ends what runs in the background, and what is being stored. Idempotent. */
  async stop(): Promise<void> {
    this.#queue.stop()
    const making = [this.blockMaps.stop(), this.patches.job.stop()]
    await Promise.all([this.#retries?.stop(), ...making, this.stored.stop()])
  }

  async #retry(ended: AbortSignal): Promise<void> {
    try {
      await this.incoming.retry(ended)
    } catch (error) {
      if (!ended.aborted) throw error
    }
  }

  /** Returns where devices download a file. */
  urlOf(file: StoredFile): string {
    return this.#addresses.of(file)
  }

  /** Returns the file at an address of this server; null if there is none, undefined for every other address. */
  fileAt(address: string): StoredFile | null | undefined {
    const named = this.#addresses.namedIn(address)
    if (named === undefined || named === null) return named
    const file = this.stored.find(named.id)
    return file !== undefined && hasName(file, named.name) ? file : null
  }

  /** Rejects with `file_not_stored` for an address of this server without a file, and `bucket_unavailable` while that is unknown. */
  async requireStored(artifacts: readonly { readonly url: string }[]): Promise<void> {
    if (artifacts.some(({ url }) => this.fileAt(url) !== undefined)) await this.stored.refresh()
    for (const [index, { url }] of artifacts.entries()) {
      if (this.fileAt(url) !== null) continue
      this.stored.requireReady()
      throw new Refusal({ code: 'file_not_stored', path: ['artifacts', String(index), 'url'] })
    }
  }
}

async function openParts(
  parts: HostingParts,
  space: SpaceLimits,
): Promise<{ readonly stored: FileStore; readonly incoming: Uploads }> {
  const { shared, storeWithin: patience, clock, record, onBucketFailure: onFailure } = parts
  const { shares, onDropped } = parts
  const folder = join(parts.folder, 'uploads')
  const receiving = { patience, clock, onFailure, shares, onDropped }
  if (shared !== undefined)
    return await openShared({ ...parts, shared, uploads: folder, space, receiving })
  const stored = await openOwn({ ...parts, onFailure })
  return { stored, incoming: await Incoming.open({ folder, stored, space, record, ...receiving }) }
}
