import { z } from 'zod'
import { Timestamp } from '../../names.ts'
import { SessionItem } from './people.ts'

/** What a browser sees before anybody has signed in. */
export const SignInState = z.strictObject({
  /** Whether it has to show first that it is on the server's computer; nothing else is true then. */
  needsCode: z.boolean(),
  /** False until the first account is made, by the link that the server prints. */
  hasAccounts: z.boolean(),
  /** The name of the account that the browser is signed in to. */
  signedInAs: z.string().nullable(),
  /** The host name of the identity provider; null without single sign-on. */
  singleSignOn: z.string().nullable(),
})

/** What a link is for. `name`: of the account, null if the person chooses it. */
export const LinkInfo = z.strictObject({
  kind: z.enum(['setup', 'invitation', 'reset']),
  name: z.string().nullable(),
})
export type LinkInfo = z.infer<typeof LinkInfo>

/** Characters of the shortest password (NIST SP 800-63B-4, section 3.1.1.2, asks for 8 beside a second factor and 15 alone). */
export const MIN_PASSWORD_LENGTH = 12

/** A password as it is typed; whether it is good enough, the server decides. */
export const NewPassword = z.string().max(1_024)

/** What a password led to: a session, or the question for a second factor. */
export const SignInResult = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('signed_in') }),
  z.strictObject({
    kind: z.literal('second_factor'),
    challenge: z.string(),
    methods: z.array(z.enum(['totp', 'recovery_code'])),
  }),
])
export type SignInResult = z.infer<typeof SignInResult>

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
