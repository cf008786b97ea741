import { z } from 'zod'
import { Timestamp } from '../names.ts'
import { type RefusalOf, type Refusals, refusal } from '../refusal-kind.ts'

/** Characters of a file's name. Percent-encoded, it must fit into the address of an artifact. */
const MAX_NAME = 128
/** Bytes of the largest file: beyond it, numbers are no longer exact in every client. */
export const MAX_FILE_BYTES = 1_024 ** 4

/** A file's name as downloads have it: one segment of a path. */
export const HostedFileName = z
  .string()
  .min(1, 'must not be empty')
  .max(MAX_NAME, `must be at most ${MAX_NAME} characters`)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it rejects
  .regex(/^(?!\.{1,2}$)[^/\\\u0000-\u001f\u007f]+$/, 'must be a file name without a folder')
  .refine((name) => name.isWellFormed(), 'must be well-formed Unicode')

/** Characters, endings and devices that no file of Windows can have in its name, with whatever ending. */
const NOT_ON_WINDOWS =
  /[<>:"|?*]|[. ]$|^(?:con|prn|aux|nul|com[1-9\u00b9\u00b2\u00b3]|lpt[1-9\u00b9\u00b2\u00b3])(?:\.|$)/i

/** The name of a new file: updaters save it under this name on the device. */
export const NewFileName = HostedFileName.refine(
  (name) => !NOT_ON_WINDOWS.test(name),
  'must be a name that Windows can store: without < > : " | ? *, not ending in a dot or space, and not a device such as CON',
)

/** SHA-512 in lower-case hex. */
export const HostedFileHash = z
  .string()
  .regex(/^[0-9a-f]{128}$/, 'must be a SHA-512: 128 lower-case hexadecimal digits')
  .meta({ description: 'SHA-512 of the file, in lower-case hex' })

/** A file as requests name it: its SHA-512, or the part of it that is in its address. */
export const HostedFileId = z
  .string()
  .regex(
    /^[0-9a-f]{32}(?:[0-9a-f]{96})?$/,
    'must be a SHA-512, or its first 32 digits, in lower-case hex',
  )
  .meta({ description: 'SHA-512 of the file in lower-case hex, or the first 32 digits of it' })

/** A file that the server keeps. */
export const HostedFile = z
  .strictObject({
    sha512: HostedFileHash,
    name: z.string().meta({ description: 'Name that it was uploaded with' }),
    size: z.int().meta({ description: 'Size in bytes' }),
    url: z.url().meta({ description: 'Where devices download it' }),
    storedAt: Timestamp.meta({ description: 'When it was uploaded or last asked for by its hash' }),
  })
  .meta({ id: 'HostedFile' })
export type HostedFile = z.infer<typeof HostedFile>

/** An upload as requests name it. */
export const UploadId = z
  .string()
  .regex(/^[0-9a-f]{32}$/, 'must be 32 lower-case hexadecimal digits')
  .meta({ description: 'ID of the upload: the last part of its address' })

/** An upload that has not ended. */
export const OpenUpload = z
  .strictObject({
    id: z.string().meta({ description: 'Last part of its address under `/api/v1/uploads`' }),
    offset: z.int().meta({ description: 'Bytes that have arrived' }),
    size: z.int().meta({ description: 'Size of the file in bytes' }),
  })
  .meta({ id: 'OpenUpload' })
export type OpenUpload = z.infer<typeof OpenUpload>

/** An upload as those see it who can delete it, or may see what takes space. */
export const ListedUpload = OpenUpload.extend({
  name: z.string().meta({ description: 'Name that the file will have' }),
  by: z
    .string()
    .nullable()
    .meta({ description: 'Name of the key or person that uploads; null if it no longer exists' }),
  progressAt: Timestamp.meta({
    description: 'When it last made progress; it is deleted a day after that',
  }),
}).meta({ id: 'ListedUpload' })
export type ListedUpload = z.infer<typeof ListedUpload>

/** The unfinished uploads, the one without progress for longest first. */
export const UploadsAnswer = z
  .strictObject({ uploads: z.array(ListedUpload) })
  .meta({ id: 'UploadsAnswer' })
export type UploadsAnswer = z.infer<typeof UploadsAnswer>

export const HostedFileAnswer = z
  .strictObject({ file: HostedFile })
  .meta({ id: 'HostedFileAnswer' })

/** What is known of a file by its hash: the file, or else the caller's own upload of it, or nothing. */
export const FoundFileAnswer = z
  .strictObject({ file: HostedFile.nullable(), upload: OpenUpload.nullable() })
  .meta({ id: 'FoundFileAnswer' })
export type FoundFileAnswer = z.infer<typeof FoundFileAnswer>

/** The files that the server keeps, and how much space they take. */
export const HostedFilesAnswer = z
  .strictObject({
    files: z.array(
      HostedFile.extend({
        uses: z.int().meta({
          description:
            'Releases, drafts and change requests that name the file; without any, it is deleted',
        }),
      }).meta({ id: 'ListedFile' }),
    ),
    bytes: z.int().meta({ description: 'Bytes of all files' }),
    patchBytes: z.int().meta({
      description:
        'Bytes of the patches between files on this server, which the quota does not count',
    }),
    collectedAt: Timestamp.nullable().meta({
      description: 'When unused files were last deleted; null since the start of the server',
    }),
    collectionFailed: z.boolean().meta({
      description: 'Whether deleting unused files failed since then; the log has the cause',
    }),
    quotaBytes: z
      .int()
      .nullable()
      .meta({ description: 'Most bytes of all files; null for no limit' }),
  })
  .meta({ id: 'HostedFilesAnswer' })
export type HostedFilesAnswer = z.infer<typeof HostedFilesAnswer>

/**
 * Returns the name at the end of an address under which a server stores the file with that SHA-512 in lower-case hex;
 * undefined for every other address. The server may have another address by now.
 */
export function hostedNameAt(address: string, sha512: string): string | undefined {
  const [, id = '', name = ''] = HOSTED_PATH.exec(URL.parse(address)?.pathname ?? '') ?? []
  if (id === '' || !sha512.startsWith(id)) return undefined
  try {
    return HostedFileName.safeParse(decodeURIComponent(name)).data
  } catch {
    return undefined
  }
}

const HOSTED_PATH = /\/files\/([0-9a-f]{32}|[0-9a-f]{128})\/([^/]+)$/

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
export const HOSTING_REFUSALS = {
  unknown: [
    /** The server stores no files. */
    refusal('hosting_off', {}),
    /** An upload of a file that is complete, was deleted, or is somebody else's. */
    refusal('unknown_file_upload', {}),
    refusal('unknown_file', { file: z.string() }),
  ],
  invariant: [
    /** The quota or the disk has too little space for a file: that many bytes less than it takes. */
    refusal('hosting_full', { limit: z.enum(['quota', 'disk']), missingBytes: z.int() }),
    refusal('too_many_uploads', { maximum: z.int() }),
    refusal('file_in_use', { name: z.string(), use: FileUse }),
  ],
  duplicate: [
    /** Another request adds to the upload, or has added to it since. */
    refusal('upload_busy', {}),
  ],
  invalid: [
    /** What was uploaded has another SHA-512 than what was announced. */
    refusal('upload_differs', { name: z.string(), announced: z.string(), found: z.string() }),
    /** An artifact has an address of this server, which stores no such file. */
    refusal('file_not_stored', { path: z.array(z.string()) }),
  ],
  temporary: [
    /** All of an upload has arrived, and is on its way to the bucket. */
    refusal('file_being_stored', { name: z.string() }),
    BucketUnavailable,
  ],
} as const satisfies Refusals
export type HostingRefusal = RefusalOf<typeof HOSTING_REFUSALS>
