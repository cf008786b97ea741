import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { LazyBucket } from '../bucket/lazy-bucket.ts'
import type { BucketPlace } from '../bucket/readings.ts'
import type { FileStore } from '../file-store.ts'
import type { FinishingOptions } from '../finishing.ts'
import type { SpaceLimits } from '../space.ts'
import type { UploadSharing, Uploads } from '../uploads.ts'
import { BucketPieces } from './bucket-pieces.ts'
import { FolderPieces } from './pieces.ts'
import { placeOfBucket, placeOfFolder } from './place.ts'
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
