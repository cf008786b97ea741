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
}

/** What a signed document says, as its updater reads it. */
export interface ReadDocument {
  /** The version that it is for, as it is written. */
  readonly version: string
  /** Whether it is for that version of a release. */
  isFor(version: string): boolean
  readonly platform: string
  /** Empty for every arch. */
  readonly arch: string
  readonly files: readonly DocumentFile[]
  /** `keyId`: the SHA-256 of the key in hex; undefined if the document does not name it. */
  readonly signatures: readonly { readonly keyId: string | undefined; readonly signature: string }[]
  /** What is signed. */
  readonly payload: Uint8Array
}
