import type { SignatureFormat } from '../files/proof.ts'

/**
 * The line of a package in a `RELEASES` file, which build tools write: SHA-1, name and size. That of a delta package is
 * followed by the line of the package that it was built from.
 */
export const RELEASES_LINE =
  /^\s*([0-9a-f]{40})(?:\s+\S+\s+([1-9]\d*)(?:\s+([0-9a-f]{40})\s+\S+\s+[1-9]\d*)?)?\s*$/i

/** An Ed25519 signature: 64 bytes in base64, as Sparkle's `sign_update` prints it. */
export const SPARKLE_SIGNATURE = /^[A-Za-z0-9+/]{86}==$/

const FORMS: Readonly<Record<SignatureFormat, RegExp>> = {
  sparkle: SPARKLE_SIGNATURE,
  releases: RELEASES_LINE,
}

/** Returns whether a signature is in one of the formats. */
export function isInFormat(signature: string, formats: readonly SignatureFormat[]): boolean {
  return formats.some((format) => FORMS[format].test(signature))
}
