/** The update that the device is offered, as the server sends it. */
export interface Update {
  /** SemVer. Lower than the current version if that was rolled back. */
  readonly version: string
  /** Release notes in Markdown, at most 64 KiB. */
  readonly notes: string
  /** When the release was published, RFC 3339. */
  readonly pub_date: string
  /** Absolute address of the file. */
  readonly url: string
  /** Of the file, as it was published: 128 hex digits or base64 of 64 bytes. */
  readonly sha512: string
  /** Of the file, as it was published; empty if it has none. */
  readonly signature: string
  /** Bytes of the file; 0 if it was published without. */
  readonly size: number
  /** Whether people may go on with their version. */
  readonly updateMode: 'optional' | 'required'
  /** Versions below are no longer supported. */
  readonly minimumSupportedVersion: string
  /** Whether `version` is to be installed although it is lower. */
  readonly allowDowngrade: boolean
}

/** Returns whether an answer has all that an update has. */
export function isUpdate(value: unknown): value is Update {
  if (typeof value !== 'object' || value === null) return false
  const members = new Map<string, unknown>(Object.entries(value))
  return (
    STRINGS.every((name) => typeof members.get(name) === 'string') &&
    typeof members.get('size') === 'number' &&
    typeof members.get('allowDowngrade') === 'boolean'
  )
}

const STRINGS = [
  'version',
  'notes',
  'pub_date',
  'url',
  'sha512',
  'signature',
  'updateMode',
  'minimumSupportedVersion',
]
