import { z } from 'zod'
import { Timestamp } from '../names.ts'
import { SessionItem } from './people.ts'

/** How the person who asks can sign in. */
export const OwnAccount = z.strictObject({
  name: z.string(),
  hasPassword: z.boolean(),
  /** Whether an authenticator app is asked for after the password. */
  twoFactor: z.boolean(),
  /** Recovery codes that were not used yet. */
  recoveryCodesLeft: z.int(),
  passkeys: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      createdAt: Timestamp,
      lastUsedAt: Timestamp.nullable(),
    }),
  ),
})
export type OwnAccount = z.infer<typeof OwnAccount>

export const OwnSession = SessionItem.extend({
  /** Whether it is the session of who asks. */
  isCurrent: z.boolean(),
})
export type OwnSession = z.infer<typeof OwnSession>

/** A secret for an authenticator app, as text and as an `otpauth:` address. It is in this answer alone. */
export const TotpEnrolment = z.strictObject({
  enrolment: z.string(),
  secret: z.string(),
  uri: z.string(),
})
export type TotpEnrolment = z.infer<typeof TotpEnrolment>

/** The one answer that holds them. */
export const RecoveryCodes = z.strictObject({ recoveryCodes: z.array(z.string()) })
