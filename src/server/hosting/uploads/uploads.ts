import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { parsedJson } from '../../../shared/basics/parsed-json.ts'
import {
  HostedFileHash,
  HostedFileName,
  MAX_FILE_BYTES,
  NewFileName,
} from '../../../shared/files/hosted-file.ts'
import type { AuditEntry } from '../../catalog/audit-log.ts'
import type { BucketOutage } from '../bucket/bucket-failure.ts'
import type { StoredFile } from '../file-index.ts'

/** What is to be uploaded. */
export const NewUpload = z.object({
  name: NewFileName,
  size: z.int().min(1, 'must not be empty').max(MAX_FILE_BYTES, 'is too large'),
  /** The SHA-512 that it must have; null if the uploader does not say. */
  sha512: HostedFileHash.nullable(),
})
export type NewUpload = z.output<typeof NewUpload>

/** What is stored of an upload beside its bytes. Earlier versions took more names. */
const UploadInfo = NewUpload.extend({ name: HostedFileName, owner: z.string() })

export interface Upload extends NewUpload {
  readonly id: string
  /** Who began it, and who alone can go on with it. */
  readonly owner: string
  /** Bytes that have arrived. */
  readonly offset: number
  /** Unix time in milliseconds at which it last made progress. */
  readonly touchedAt: number
}

/** Reads what was stored of an upload; undefined if it is missing or unreadable. */
export async function readUploadInfo(
  file: string,
): Promise<z.output<typeof UploadInfo> | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return UploadInfo.safeParse(parsedJson(text)).data
}

/** Milliseconds without progress after which an upload is deleted. */
export const UPLOAD_LIFE = 24 * 60 * 60_000

/** Returns whose share of the space an owner of uploads takes from; undefined for a key that is revoked or removed. */
export type ShareOf = (owner: string) => string | undefined

/** What decides how uploads share the space, and hears what that cost. */
export interface UploadSharing {
  /** Returns whose share an owner takes from, as the catalog is now. */
  readonly shares: () => Promise<ShareOf>
  /** Hears of an upload that was deleted because its key is revoked, or for others who held less. */
  readonly onDropped: (upload: Upload) => void
}

/** Files that arrive in pieces. Those of several nodes are the same on each. */
export interface Uploads {
  /** Those that have not become files. */
  list(): Promise<Upload[]>
  /** Finds an upload, also one that has become a file not long ago. */
  find(id: string): Promise<Upload | undefined>
  /** Begins an upload. Throws `hosting_full`, `too_many_uploads` and `bucket_unavailable`. */
  create(id: string, owner: string, upload: NewUpload): Promise<Upload>
  /**
   * Appends what `chunks` brings, of which the first byte is that at `offset`, and returns the bytes that are there then and
   * survive a crash. Keeps what has arrived if the chunks fail, and throws their error. Throws `hosting_full` if others have
   * filled the quota or the disk, `unknown_file_upload` if it is deleted meanwhile, and `upload_busy` if the upload has more
   * or fewer bytes than `offset`, or others append to it.
   */
  append(id: string, offset: number, chunks: AsyncIterable<Uint8Array>): Promise<number>
  /**
   * Makes a file of an upload that is complete. The entry is written to the audit log once, before that, when the content is
   * known. Throws `unknown_file_upload`, and as `Finishing.run` does.
   */
  finish(id: string, entryOf: (file: StoredFile) => AuditEntry): Promise<StoredFile>
  /** Why uploads that have arrived cannot be stored; null if none waits. */
  readonly outage: BucketOutage | null
  /** Stores uploads that have arrived and could not be stored. Throws as `Finishing.retry` does. */
  retry(ended: AbortSignal): Promise<void>
  /** Deletes the uploads without progress for a day, and those of revoked keys. `now`: Unix time in milliseconds. */
  expire(now: number): Promise<void>
  /** Deletes the uploads of keys that are revoked or removed. */
  dropRevoked(): Promise<void>
  /** Deletes an upload; does nothing if it is gone. */
  remove(id: string): Promise<void>
}

/** Returns a new name for an upload. */
export function newUploadId(): string {
  return randomBytes(16).toString('hex')
}
