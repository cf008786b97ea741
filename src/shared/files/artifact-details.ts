import { z } from 'zod'

/** Updaters whose manifests Tidegate reads. */
const ExtraUpdater = z.enum(['electron', 'tauri', 'sparkle'])

/** Members that a feed makes itself, or that would decide a second time; in an appcast, attributes and elements. */
export const RESERVED_MEMBERS = {
  electron: {
    file: ['url', 'sha512', 'size', 'blockMapSize', 'isAdminRightsRequired'],
    manifest: [
      ...['version', 'files', 'path', 'sha512', 'releaseDate'],
      ...['minimumSystemVersion', 'stagingPercentage'],
    ],
  },
  sparkle: {
    file: ['url', 'length', 'sparkle:edSignature'],
    manifest: [
      ...['enclosure', 'pubDate', 'sparkle:version', 'sparkle:minimumSystemVersion'],
      ...['sparkle:channel', 'sparkle:phasedRolloutInterval'],
    ],
  },
} as const satisfies Readonly<
  Record<string, Readonly<Record<'file' | 'manifest', readonly string[]>>>
>

/** Most UTF-16 units of the extra members of an artifact, as JSON. */
export const MAX_EXTRA = 65_536
/** Most objects and arrays within each other. */
const MAX_DEPTH = 16

const Members = z.record(z.string().min(1).max(128), z.unknown())

/** What a publisher's manifest says that means nothing to Tidegate, passed on unchanged. */
export const ArtifactExtra = z
  .strictObject({
    updater: ExtraUpdater.meta({ description: 'Whose manifest it is' }),
    file: Members.optional().meta({ description: 'Other members of the entry of the file' }),
    manifest: Members.optional().meta({ description: 'Other members of the manifest' }),
  })
  .superRefine((extra, context) => {
    const fault = faultOf(extra)
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault })
  })
  .meta({ id: 'ArtifactExtra' })
export type ArtifactExtra = z.infer<typeof ArtifactExtra>

const Attributes = z.record(
  z.string().regex(/^(?:(?:sparkle|xml):)?(?!xml)[a-z][\w.-]*$/i),
  z.string(),
)

/** An element of an appcast, which any XML document can hold. */
export const AppcastElement = z.strictObject({
  name: z.string().regex(/^(?:sparkle:)?(?!xml)[a-z][\w.-]*$/i),
  attributes: Attributes.optional(),
  text: z.string().optional(),
  get children() {
    return z.array(AppcastElement).optional()
  },
})
export type AppcastElement = z.infer<typeof AppcastElement>

/** What an appcast says beyond what Tidegate reads: attributes of the enclosure, and elements of the item. */
export const AppcastExtra = z.object({
  updater: z.literal('sparkle'),
  file: Attributes.optional(),
  manifest: z.strictObject({ item: z.array(AppcastElement) }).optional(),
})
export type AppcastExtra = z.infer<typeof AppcastExtra>

/** What an updater gets about a file beyond where it is and how it is verified. Absent where the publisher says nothing. */
export const ARTIFACT_DETAILS = {
  minimumSystemVersion: z
    .string()
    .regex(/^[\x21-\x7e]{1,64}$/, 'must be 1 to 64 printable characters without spaces')
    .optional()
    .meta({
      description:
        'Oldest operating system that the file runs on: the version of a kernel, as `os.release()` of Node names it, or of macOS, or a build of Windows. electron-updater compares kernels alone',
      examples: ['23.1.0'],
    }),
  isAdminRightsRequired: z
    .boolean()
    .optional()
    .meta({ description: 'Whether the installer needs the rights of an administrator' }),
  blockMapSize: z
    .int()
    .min(1, 'must be at least 1')
    .optional()
    .meta({ description: 'Bytes of the block map at the end of the file' }),
  extra: ArtifactExtra.optional(),
} as const

const Details = z.object(ARTIFACT_DETAILS)
export type ArtifactDetails = z.infer<typeof Details>

function faultOf(extra: z.infer<typeof ArtifactExtra>): string | undefined {
  const { updater, file = {}, manifest = {} } = extra
  if (isDeeper([file, manifest], MAX_DEPTH)) {
    return `must hold at most ${MAX_DEPTH} objects and arrays within each other`
  }
  if (JSON.stringify([file, manifest]).length > MAX_EXTRA) {
    return `must be at most ${MAX_EXTRA / 1024} KiB of JSON`
  }
  if (updater === 'tauri') return undefined
  const appcast = updater === 'sparkle' ? AppcastExtra.safeParse(extra) : undefined
  if (appcast?.success === false) return 'must hold attributes and elements of an appcast'
  const named = appcast?.data.manifest?.item.map(({ name }) => name) ?? Object.keys(manifest)
  const reserved: readonly string[] = [
    ...RESERVED_MEMBERS[updater].file.filter((name) => Object.hasOwn(file, name)),
    ...RESERVED_MEMBERS[updater].manifest.filter((name) => named.includes(name)),
  ]
  if (reserved.length > 0) return `must not hold ${reserved[0]}, which the feed has itself`
  const { releaseNotes } = manifest
  const isList = releaseNotes === undefined || Array.isArray(releaseNotes)
  return isList ? undefined : 'must not hold releaseNotes unless they are a list'
}

/** Whether objects and arrays are within each other more than so many times. */
export function isDeeper(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return limit === 0 || Object.values(value).some((each) => isDeeper(each, limit - 1))
}
