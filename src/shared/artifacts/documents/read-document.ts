/** A file that a document lists. */
export interface DocumentFile {
  /** As it is written: absolute, or relative to the address of the document. */
  readonly url: string
  /** In hex or base64; empty if the document has none. */
  readonly sha512: string
  /** Bytes; 0 if the document does not say. */
  readonly size: number
  /** Empty if the document has none. */
  readonly signature: string
  /** In hex; only a list of packages has it, and no other checksum. */
  readonly sha1?: string
}

/** A package in a list that Squirrel or Velopack writes. */
export interface ListedPackage {
  /** The file name. */
  readonly name: string
  /** As it is written: absolute, or beside the list. */
  readonly address: string
  /** As the list or the name of the file has it. */
  readonly version: string
  readonly isDelta: boolean
  /** In hex. */
  readonly sha1: string
  /** Bytes. */
  readonly size: number
  /** Empty if the list has none. */
  readonly notes: string
  /** The percentage of devices that Squirrel.Windows limits the package to; 100 if the list has none. */
  readonly percentage: number
}

/** What a document says, as its updater reads it. */
export interface ReadDocument {
  /** The version that it is for, as it is written. */
  readonly version: string
  /** Whether it is for that version of a release. */
  isFor(version: string): boolean
  readonly platform: string
  /** Empty for every arch. */
  readonly arch: string
  /** Those of the version. */
  readonly files: readonly DocumentFile[]
  /** Those of a list, of every version. */
  readonly packages?: readonly ListedPackage[]
  /** `keyId`: the SHA-256 of the key in hex; undefined if the document does not name it. */
  readonly signatures: readonly { readonly keyId: string | undefined; readonly signature: string }[]
  /** What is signed; empty for a list of packages. */
  readonly payload: Uint8Array
}
