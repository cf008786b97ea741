import { hash, randomBytes } from 'node:crypto'

const TOKEN_BYTES = 32
const TOKEN = /^[A-Za-z0-9_-]{43}$/

/** Returns a token of 256 random bits, base64url. */
export function drawToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}

/** SHA-256 of a token, in hex: what is stored and looked up in its place. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex')
}

/** Returns whether a text has the form of a token, so that no long text is hashed. */
export function isToken(text: string): boolean {
  return TOKEN.test(text)
}
