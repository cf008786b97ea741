import { z } from 'zod'

/** Milliseconds in which a new authenticator app must be confirmed. */
export const ENROLMENT_TIME = 10 * 60_000

/** What the browser keeps, sealed, until an app is confirmed. */
export const Enrolment = z.strictObject({ accountId: z.string(), secret: z.string() })

/** A secret for an authenticator app. It is in this answer alone. */
export interface TotpEnrolment {
  /** For `confirmTotp`, within 10 minutes. */
  readonly enrolment: string
  /** Base32, to be typed. */
  readonly secret: string
  /** The same as an `otpauth:` address, to be scanned. */
  readonly uri: string
}
