import { hash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { z } from 'zod'
import type { TotpRecord } from '../store.ts'

/** Seconds of a time step (RFC 6238, section 5.2). */
const PERIOD = 30
/** Time steps before and after the present one whose codes count, for clocks that differ. */
const WINDOW = 1
const SECRET_BYTES = 20
const ISSUER = 'Tidegate'

/** Returns a new secret, base32. */
export function drawTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

/** Returns the `otpauth:` address of a secret, which authenticator apps scan as a QR code. */
export function totpUri(secret: string, name: string): string {
  return totpOf(secret, name).toString()
}

/** Returns the time step of a code; undefined if it is wrong or not later than the last accepted one. `now`: Unix milliseconds. */
export function acceptedStep(
  { secret, lastStep }: Pick<TotpRecord, 'secret' | 'lastStep'>,
  code: string,
  now: number,
): number | undefined {
  const token = code.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const delta = totpOf(secret).validate({ token, timestamp: now, window: WINDOW })
  if (delta === null) return undefined
  const step = Math.floor(now / 1_000 / PERIOD) + delta
  return step > lastStep ? step : undefined
}

function totpOf(secret: string, label = ''): TOTP {
  const parameters = { algorithm: 'SHA1', digits: 6, period: PERIOD }
  return new TOTP({ issuer: ISSUER, label, secret: Secret.fromBase32(secret), ...parameters })
}

/** Recovery codes of an account. */
const CODES = 10
/** Bytes of a code: too many to be tried out, even by who has the hashes. */
const CODE_BYTES = 10
const GROUP = 4
/** Without letters and digits that look alike (Crockford's Base32). */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** Returns new recovery codes, such as `4k2p-9x7m-tq3h-w8vd`. */
export function drawRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => {
    const bits = Array.from(randomBytes(CODE_BYTES), (byte) => byte.toString(2).padStart(8, '0'))
    const letters = bits.join('').match(/.{5}/g) ?? []
    const code = letters.map((letter) => ALPHABET.charAt(Number.parseInt(letter, 2))).join('')
    return (code.match(new RegExp(`.{${GROUP}}`, 'g')) ?? []).join('-')
  })
}

/** What is stored of a recovery code, however it was typed: SHA-256 in hex, different for every account. */
export function recoveryCodeHash(accountId: string, code: string): string {
  const typed = code
    .slice(0, 64)
    .toLowerCase()
    .replaceAll(/[^0-9a-z]/g, '')
  const plain = typed.replaceAll('o', '0').replaceAll(/[il]/g, '1')
  return hash('sha256', `${accountId} ${plain}`, 'hex')
}

/** Milliseconds in which a new authenticator app must be confirmed. */
export const ENROLMENT_TIME = 10 * 60_000

/** What the browser keeps, sealed, until an app is confirmed. */
export const Enrolment = z.strictObject({ accountId: z.string(), secret: z.string() })
