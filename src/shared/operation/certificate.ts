import { z } from 'zod'
import { Timestamp } from '../names.ts'

/** Days before expiry from which a certificate counts as expiring. */
const EXPIRY_NOTICE_DAYS = 21

const DAY = 86_400_000

/** What is wrong with the TLS files. */
export const CertificateIssue = z.enum([
  'unreadable',
  /** The certificate cannot be parsed, or the key; or OpenSSL refuses the two. */
  'invalid',
  /** The key belongs to another certificate. */
  'mismatch',
])
export type CertificateIssue = z.infer<typeof CertificateIssue>

/** The certificate that a server uses. */
export const CertificateState = z.strictObject({
  expiresAt: Timestamp,
  /** Why the current files are not used and the previous certificate still is. */
  refused: z.strictObject({ issue: CertificateIssue, since: Timestamp }).nullable(),
})
export type CertificateState = z.infer<typeof CertificateState>

/** Returns whether a certificate has expired or expires within 21 days. `now`: Unix time in milliseconds. */
export function expiryOf(expiresAt: string, now: number): 'ok' | 'expiring' | 'expired' {
  const left = Date.parse(expiresAt) - now
  if (left <= 0) return 'expired'
  return left <= EXPIRY_NOTICE_DAYS * DAY ? 'expiring' : 'ok'
}
