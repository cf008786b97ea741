import { hash, randomBytes } from 'node:crypto'

const TOKEN_BYTES = 32
/** Begins the token of a command line that manages people. It is part of what is hashed: nobody can add it. */
const MANAGES_PEOPLE = 'people_'
const TOKEN = new RegExp(`^(?:${MANAGES_PEOPLE})?[A-Za-z0-9_-]{43}$`)
const PLAIN_LENGTH = 43

/** Returns a token of 256 random bits, base64url. */
export function drawToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}

/** Returns a token of a command line that was granted to manage people. */
export function drawPeopleToken(): string {
  return `${MANAGES_PEOPLE}${drawToken()}`
}

/** Returns whether a token that is stored is one of those. */
export function managesPeople(token: string): boolean {
  return token.length > PLAIN_LENGTH && token.startsWith(MANAGES_PEOPLE)
}

/** SHA-256 of a token, in hex: what is stored and looked up in its place. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex')
}

/** Returns whether a text has the form of a token, so that no long text is hashed. */
export function isToken(text: string): boolean {
  return TOKEN.test(text)
}
