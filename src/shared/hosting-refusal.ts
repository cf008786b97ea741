import { z } from 'zod'
import type { RefusalKind } from './refusal-kind.ts'

/** What names a file: a release, one that is being put together, or one that waits for approval. */
const FileUse = z.strictObject({
  by: z.enum(['release', 'draft', 'change_request']),
  app: z.string(),
  channel: z.string(),
  version: z.string(),
})
export type FileUse = z.infer<typeof FileUse>

/**
 * Why a bucket cannot be used:
 * - `unreachable`: no connection, or no answer in time
 * - `certificate`: the certificate of its server is not trusted
 * - `failing`: its server answers with a failure of its own
 * - `rejected`: its server does not accept a request, or has not stored what was sent
 */
const BucketTrouble = z.enum([
  'unreachable',
  'certificate',
  'failing',
  'rejected',
  'no_credentials',
  'credentials_rejected',
  'access_denied',
  'no_bucket',
  'no_region',
  'wrong_region',
  'clock_differs',
  'bucket_full',
])
export type BucketTrouble = z.infer<typeof BucketTrouble>

/** A bucket cannot be used at the moment. */
export const BucketUnavailable = z.strictObject({
  code: z.literal('bucket_unavailable'),
  bucket: z.string(),
  trouble: BucketTrouble,
  /** The name of the error, such as `ECONNREFUSED`; empty if it has none. */
  detail: z.string(),
})
export type BucketUnavailable = z.infer<typeof BucketUnavailable>

/** The refusals about files that the server stores. */
export const HOSTING_REFUSALS = [
  /** The server stores no files. */
  z.strictObject({ code: z.literal('hosting_off') }),
  /** The quota or the disk has too little space for a file: that many bytes less than it takes. */
  z.strictObject({
    code: z.literal('hosting_full'),
    limit: z.enum(['quota', 'disk']),
    missingBytes: z.int(),
  }),
  z.strictObject({ code: z.literal('too_many_uploads'), maximum: z.int() }),
  /** An upload of a file that is complete, was deleted, or is somebody else's. */
  z.strictObject({ code: z.literal('unknown_file_upload') }),
  /** Another request adds to the upload, or has added to it since. */
  z.strictObject({ code: z.literal('upload_busy') }),
  /** What was uploaded has another SHA-512 than what was announced. */
  z.strictObject({
    code: z.literal('upload_differs'),
    name: z.string(),
    announced: z.string(),
    found: z.string(),
  }),
  z.strictObject({ code: z.literal('unknown_file'), file: z.string() }),
  /** An artifact has an address of this server, which stores no such file. */
  z.strictObject({
    code: z.literal('file_not_stored'),
    path: z.array(z.string()),
  }),
  z.strictObject({ code: z.literal('file_in_use'), name: z.string(), use: FileUse }),
  /** All of an upload has arrived, and is on its way to the bucket. */
  z.strictObject({ code: z.literal('file_being_stored'), name: z.string() }),
  BucketUnavailable,
] as const
export type HostingRefusal = z.infer<(typeof HOSTING_REFUSALS)[number]>

/** Their kinds. */
export const HOSTING_REFUSAL_KINDS: Readonly<Record<HostingRefusal['code'], RefusalKind>> = {
  hosting_off: 'unknown',
  hosting_full: 'invariant',
  too_many_uploads: 'invariant',
  unknown_file_upload: 'unknown',
  upload_busy: 'duplicate',
  upload_differs: 'invalid',
  unknown_file: 'unknown',
  file_not_stored: 'invalid',
  file_in_use: 'invariant',
  file_being_stored: 'temporary',
  bucket_unavailable: 'temporary',
}
