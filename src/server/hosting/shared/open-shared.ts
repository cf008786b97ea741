import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LazyBucket } from '../bucket/lazy-bucket.ts'
import type { BucketPlace } from '../bucket/readings.ts'
import type { FileStore } from '../file-store.ts'
import type { FinishingOptions } from '../finishing.ts'
import type { SpaceLimits } from '../space.ts'
import type { UploadSharing, Uploads } from '../uploads.ts'
import { BucketPieces, FolderPieces } from './pieces.ts'
import type { SharedHosting } from './records.ts'
import { SharedBucket } from './shared-bucket.ts'
import { SharedFolder } from './shared-folder.ts'
import { SharedIncoming } from './shared-incoming.ts'
import type { SharedStoreParts } from './shared-store.ts'

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
