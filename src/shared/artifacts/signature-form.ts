/** The line of a package in a `RELEASES` file, which build tools write: SHA-1, name and size. */
export const RELEASES_LINE = /^\s*([0-9a-f]{40})(?:\s+\S+\s+([1-9]\d*))?\s*$/i

/** An Ed25519 signature: 64 bytes in base64, as Sparkle's `sign_update` prints it. */
export const SPARKLE_SIGNATURE = /^[A-Za-z0-9+/]{86}==$/

/** Returns whether a signature is one of Sparkle, Squirrel.Windows or Velopack, and so none of minisign. */
export function isOfAnotherFormat(signature: string): boolean {
  return SPARKLE_SIGNATURE.test(signature) || RELEASES_LINE.test(signature)
}
