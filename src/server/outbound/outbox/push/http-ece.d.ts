/** What is used of the package, which has no types of its own. */
declare module 'http_ece' {
  import type { ECDH } from 'node:crypto'

  interface EncryptParameters {
    readonly version: 'aes128gcm'
    /** Public key of the receiver, base64url. */
    readonly dh: string
    readonly privateKey: ECDH
    /** Base64url. */
    readonly authSecret: string
    /** 16 bytes, drawn by default. */
    readonly salt?: Buffer
  }

  export function encrypt(content: Buffer, parameters: EncryptParameters): Buffer
}
