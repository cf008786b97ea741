import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { HostedFileHash, HostedFileName, MAX_FILE_BYTES } from '../../shared/hosted-file.ts'

/** What is to be uploaded. */
export const NewUpload = z.object({
  name: HostedFileName,
  size: z.int().min(1, 'must not be empty').max(MAX_FILE_BYTES, 'is too large'),
  /** The SHA-512 that it must have; null if the uploader does not say. */
  sha512: HostedFileHash.nullable(),
})
export type NewUpload = z.output<typeof NewUpload>

/** What is stored of an upload beside its bytes. */
const UploadInfo = NewUpload.extend({ owner: z.string() })

/** An upload that has not ended. */
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
  try {
    return UploadInfo.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
