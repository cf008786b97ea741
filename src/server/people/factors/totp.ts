import { Secret, TOTP } from 'otpauth'
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

/**
 * Returns the time step whose code this is, undefined if the code is wrong or its step is not later than
 * the last one of which a code was accepted. `now`: Unix milliseconds.
 */
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
