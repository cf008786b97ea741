import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** A minisign key pair (https://jedisct1.github.io/minisign/), made with the cryptography of Node. */
export interface MinisignPair {
  /** Base64 of 42 bytes: the second line of a public key file. */
  readonly publicKey: string
  /** As Tauri has it in its configuration: base64 of the file. */
  readonly tauriKey: string
  /** Returns the file that minisign writes: the signature of those bytes. */
  sign(bytes: Buffer, options?: { readonly legacy?: boolean; readonly comment?: string }): string
}

export function minisignPair(id: Buffer = randomBytes(8)): MinisignPair {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)
  const key = Buffer.concat([Buffer.from('Ed'), id, raw]).toString('base64')
  const file = `untrusted comment: minisign public key\n${key}\n`
  return {
    publicKey: key,
    tauriKey: Buffer.from(file).toString('base64'),
    sign(bytes, { legacy = false, comment = 'timestamp:1700000000\tfile:app.tar.gz' } = {}) {
      const message = legacy ? bytes : createHash('blake2b512').update(bytes).digest()
      const signature = sign(null, message, privateKey)
      const line = Buffer.concat([Buffer.from(legacy ? 'Ed' : 'ED'), id, signature])
      const global = sign(null, Buffer.concat([signature, Buffer.from(comment)]), privateKey)
      return [
        'untrusted comment: signature from a test',
        line.toString('base64'),
        `trusted comment: ${comment}`,
        `${global.toString('base64')}\n`,
      ].join('\n')
    },
  }
}

/** The same signature as Tauri publishes it. */
export function asTauri(signature: string): string {
  return Buffer.from(signature).toString('base64')
}

/** A signature as Tauri publishes it, of nothing that a test looks at. */
export const TAURI_SIGNATURE = asTauri(minisignPair().sign(Buffer.from('a file')))
