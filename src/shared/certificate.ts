import { z } from 'zod'
import { Timestamp } from './names.ts'

/** Days before its end from which on a certificate is said to expire. */
export const EXPIRY_NOTICE_DAYS = 21

const DAY = 86_400_000

/** What is wrong with the files of TLS. */
export const CertificateFault = z.enum([
  'unreadable',
  /** The certificate cannot be parsed, or the key; or OpenSSL refuses the two. */
  'invalid',
  /** The key is that of another certificate. */
  'mismatch',
])
export type CertificateFault = z.infer<typeof CertificateFault>

/** The certificate that a server answers with. */
export const CertificateState = z.strictObject({
  expiresAt: Timestamp,
  /** Why the files as they are now are not used, and the certificate from before still is. */
  refused: z.strictObject({ fault: CertificateFault, since: Timestamp }).nullable(),
})
export type CertificateState = z.infer<typeof CertificateState>

/** Whether a certificate is over, or will be within 21 days. `now`: Unix time in milliseconds. */
export function expiryOf(expiresAt: string, now: number): 'ok' | 'expiring' | 'expired' {
  const left = Date.parse(expiresAt) - now
  if (left <= 0) return 'expired'
  return left <= EXPIRY_NOTICE_DAYS * DAY ? 'expiring' : 'ok'
}
