import { createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'

/** A key pair as Sparkle's `generate_keys` makes it. `publicKey`: `SUPublicEDKey`, base64 of 32 bytes. */
export interface SparkleKey {
  readonly secret: KeyObject
  readonly publicKey: string
}

export function sparkleKey(): SparkleKey {
  const { publicKey, privateKey: secret } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  return { secret, publicKey: Buffer.from(x, 'base64url').toString('base64') }
}

export function edSignature(content: string, { secret }: SparkleKey): string {
  return sign(null, Buffer.from(content), secret).toString('base64')
}

/** Signs an appcast as `sign_update` of Sparkle 2.9 does (`signAppcast` in `Signing.swift`). */
export function signedAppcast(content: string, key: SparkleKey): string {
  const length = Buffer.byteLength(content)
  const signature = edSignature(content, key)
  return `${content}<!-- sparkle-signatures:\nedSignature: ${signature}\nlength: ${length}\n-->\n`
}

const PREFIX = Buffer.from('<!-- sparkle-signatures:\n')

/** Returns whether an app with `SURequireSignedFeed` accepts an appcast (`SPUExtractAppcastContent`, `SUAppcastDriver.m`). */
export function isFeedAccepted(appcast: Uint8Array, { publicKey }: SparkleKey): boolean {
  const bytes = Buffer.from(appcast)
  const at = bytes.lastIndexOf(PREFIX)
  const end = bytes.indexOf('-->', at + PREFIX.length)
  if (at < 0 || end < 0) return false
  const lines = bytes
    .subarray(at + PREFIX.length, end)
    .toString()
    .split('\n')
  const value = (name: string) =>
    lines
      .findLast((line) => line.startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim() ?? ''
  const content = bytes.subarray(0, at)
  const signature = Buffer.from(value('edSignature'), 'base64')
  if (Number(value('length')) !== content.length || signature.length !== 64) return false
  const x = Buffer.from(publicKey, 'base64').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return verify(null, content, key, signature)
}
