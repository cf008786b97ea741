import type { FileHandle } from 'node:fs/promises'
import type { BucketOutage } from './bucket/bucket-failure.ts'
import type { StoredFile } from './file-index.ts'

/** What every place for stored files does. Files are known by their content. */
interface CommonStore {
  /** Bytes of all files. */
  readonly bytes: number
  /** All files, the one stored last first. */
  list(): StoredFile[]
  /** Finds a file by its SHA-512 in lower-case hex, or by the first 32 digits of it. */
  find(id: string): StoredFile | undefined
  /** Resolves once it is known what is stored, within seconds. Throws `bucket_unavailable`. */
  ready(): Promise<void>
  /** Reads what other nodes have stored and removed until now; does nothing where there are none. */
  refresh(): Promise<void>
  /** Throws `bucket_unavailable` unless it is known what is stored. */
  requireReady(): void
  /**
   * Stores a file whose content is on disk, and may take it away from there. Of two with the same content the first stays.
   * Resolves once it is there after a crash, too. Throws `bucket_unavailable`; then the content is still on disk.
   */
  add(path: string, file: Omit<StoredFile, 'storedAt'>): Promise<StoredFile>
  /** Finds a file and counts it as stored now, so that it stays; undefined if it is not intact. Throws `bucket_unavailable`. */
  keepIfIntact(sha512: string): Promise<StoredFile | undefined>
  /**
   * Takes away a file that `find` returned: it is no longer known. False if somebody has kept it since. Asks for nothing over
   * the network, so that a transaction can wait for it. Throws errors of the operating system.
   */
  remove(file: StoredFile): Promise<boolean>
  /** Deletes what was taken away and is still there. Throws `bucket_unavailable`; then that is known again. */
  deleteRemoved(): Promise<void>
  /** Ends what runs in the background, and what is being stored. */
  stop(): Promise<void>
}

/** Files in a folder of this computer, which the server sends itself. */
export interface FolderStore extends CommonStore {
  readonly kind: 'folder'
  /** Returns where the content of a file is. */
  pathOf(file: Pick<StoredFile, 'sha512'>): string
  /** Opens a file for reading. Throws `FileDamaged` if it is not as it was stored; then it is no longer known. */
  open(file: StoredFile): Promise<FileHandle>
}

/** Files in an S3-compatible bucket, from which devices download them. */
export interface BucketStore extends CommonStore {
  readonly kind: 'bucket'
  /** Why it could not be read when that was last tried; null if it could. */
  readonly outage: BucketOutage | null
  /** Returns where a file can be downloaded for some hours, without asking the bucket. Throws `bucket_unavailable`. */
  addressOf(file: StoredFile, method: DownloadMethod): Promise<string>
}

export type DownloadMethod = 'GET' | 'HEAD'

/** Where stored files are. */
export type FileStore = FolderStore | BucketStore
