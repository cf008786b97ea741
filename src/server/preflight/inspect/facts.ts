/** What a file is, by its bytes and not by its name. `squirrel`, `vpk`: installers of Squirrel.Windows and Velopack. */
export type FileKind =
  | 'pe'
  | 'nsis'
  | 'squirrel'
  | 'vpk'
  | 'msi'
  | 'nupkg'
  | 'macho'
  | 'dmg'
  | 'elf'
  | 'appimage'
  | 'deb'
  | 'rpm'
  | 'asar'
  | 'zip'
  | 'tar_gz'
  | 'unknown'

/** Where a version stands, the most telling first: updaters compare what the app says of itself. */
export const VERSION_SOURCES = [
  'package_json',
  'nuspec',
  'info_plist',
  // A number of the build, which only Sparkle compares: of apps with Sparkle.
  'bundle_version',
  'deb_control',
  'rpm_header',
  'msi_property',
  'desktop_entry',
  'product_version',
  'fixed_version',
] as const

/** One of these places. */
export type VersionSource = (typeof VERSION_SOURCES)[number]

export interface VersionFact {
  readonly source: VersionSource
  /** As it stands in the file: Windows has four numbers (`1.2.0.0`), rpm has no `-`. */
  readonly text: string
}

/** Who signed a file, as the file says: the chain of certificates is not verified. */
export interface AuthenticodeFact {
  /** As Windows writes it, which electron-updater compares: `CN=Example Ltd, O=Example Ltd, C=DE`. */
  readonly subject: string
}

/** What an app on Electron says of its updates, in `app-update.yml`. Members that are no text are left out. */
export interface ElectronUpdateFact {
  readonly provider?: string
  readonly url?: string
  readonly channel?: string
  /** The names that electron-updater accepts of the signer of an update for Windows; undefined if it accepts any. */
  readonly publisherName?: readonly string[]
}

/** What an app with Sparkle says of its updates, in `Info.plist`. */
export interface SparkleFact {
  readonly feedUrl?: string
  readonly publicEdKey?: string
}

/** What an app on Tauri has inside. Its endpoints are in the program with nothing around them, so that they are not read. */
export interface TauriFact {
  /** The key of its updates, as the second line of minisign's file: base64 of 42 bytes. Undefined if none was found. */
  readonly publicKey?: string
  /** The ID of that key, as minisign writes it: 16 hex digits in upper case. */
  readonly keyId?: string
}

export type Part =
  | 'file'
  | 'version'
  | 'arch'
  | 'signature'
  | 'contents'
  | 'electron_update'
  | 'tauri_config'

/** What could not be read, so that nothing is concluded from its absence. */
export type Note =
  /** There is no reader for it. `format`: what it is, such as `lzma_solid`. */
  | { readonly code: 'not_read'; readonly part: Part; readonly format: string }
  /** It contradicts its format, or ends too early. */
  | { readonly code: 'damaged'; readonly part: Part }
  /** Reading it would take more than a limit. */
  | { readonly code: 'over_limit'; readonly part: Part; readonly limit: keyof InspectLimits }

/** What a file says of itself and its app. Undefined: not read, see the notes, or not of this kind. Null: there is none. */
export interface FileFacts {
  readonly kind: FileKind
  /** The architectures of the app inside, as `canonicalArch` names them, sorted; not those of its installer. */
  readonly arch?: readonly string[]
  /** The first of `versions`. */
  readonly version?: string
  /** In the order of `VERSION_SOURCES`, one of each at most. */
  readonly versions: readonly VersionFact[]
  /** Of Apple's bundles and of packages: `com.example.app`, or the name of the package. */
  readonly appId?: string
  /** Of Apple's bundles: the lowest version of macOS. */
  readonly minimumSystemVersion?: string
  readonly publisher: {
    /** Of the file itself. Null: not signed. */
    readonly authenticode?: AuthenticodeFact | null
    /** Whether the file is as it was signed; undefined if that is not verified. */
    readonly isIntact?: boolean
    /** Null: not signed, or by nobody that Apple knows. */
    readonly appleTeam?: string | null
  }
  readonly electronUpdate?: ElectronUpdateFact | null
  readonly sparkle?: SparkleFact
  readonly tauri?: TauriFact
  readonly notes: readonly Note[]
}

/** Anything that can be read at any place. */
export interface InspectedFile {
  readonly name: string
  /** Bytes. */
  readonly size: number
  /** Whether it costs little to read all of it: true on this computer. */
  readonly isNear?: boolean
  /** Reads `length` bytes at `offset`, both within `size`. */
  read(offset: number, length: number): Promise<Uint8Array>
}

/** How much an inspection takes at most. Whoever uploads a file decides what is in it. */
export interface InspectLimits {
  /** Bytes read of the file, also if the same twice. */
  readonly bytes: number
  /** Bytes that decompressing makes. */
  readonly decompressed: number
  /** Members of archives, sections, resources and whatever else is listed. */
  readonly entries: number
  /** Files in files. */
  readonly nesting: number
  readonly milliseconds: number
}

/** Enough for an app of 500 MB, in a package that has to be decompressed to its end. */
export const INSPECT_LIMITS: InspectLimits = {
  bytes: 512 * 1_024 * 1_024,
  decompressed: 1_024 * 1_024 * 1_024,
  entries: 200_000,
  nesting: 5,
  milliseconds: 60_000,
}
