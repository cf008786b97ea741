import { z } from 'zod'
import { Timestamp } from '../names.ts'
import { SessionItem } from './people.ts'

/** An account at an identity provider (OpenID Connect Core 1.0, section 2: `iss` and `sub`). */
export const LinkedIdentity = z.strictObject({
  issuer: z.string().max(2_000),
  subject: z.string().max(2_000),
})
export type LinkedIdentity = z.infer<typeof LinkedIdentity>

/** How the person who asks can sign in. */
export const OwnAccount = z.strictObject({
  name: z.string(),
  /** Where mail for the person goes; null for none. */
  email: z.string().nullable(),
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
  /** The accounts of identity providers that sign in as this one. */
  identities: z.array(LinkedIdentity),
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
