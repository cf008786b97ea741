import { z } from 'zod'
import { VISIBLE, VISIBLE_RULE } from '../basics/visible.ts'
import { type RefusalOf, type Refusals, refusal } from '../refusal-kind.ts'
import { Role } from './role.ts'

/** Where a session is used: in a browser or the desktop app, with a cookie, or by the command line, with a token. */
export const SessionKind = z.enum(['browser', 'command_line'])
export type SessionKind = z.infer<typeof SessionKind>

/** Maximum length of a sign-in name, in code points. */
export const MAX_SIGN_IN_NAME = 64

/** Bounds of a password, in code points (NIST SP 800-63B-4, section 3.1.1.2). */
export const PASSWORD_LENGTH = { min: 12, max: 256 } as const

/** A sign-in name as people see it: NFKC, without spaces around it. */
export const SignInName = z
  .string()
  .max(4 * MAX_SIGN_IN_NAME, `must be at most ${MAX_SIGN_IN_NAME} characters`)
  .overwrite((text) => text.normalize('NFKC').trim())
  .min(1, 'must not be empty')
  .refine((text) => [...text].length <= MAX_SIGN_IN_NAME, {
    message: `must be at most ${MAX_SIGN_IN_NAME} characters`,
  })
  .regex(VISIBLE, VISIBLE_RULE)

/**
 * Returns a name as names are compared: without regard to case and to how characters are composed
 * (Unicode Standard, section 3.13, D146). Two names that people take for the same have the same key.
 */
export function foldName(name: string): string {
  let folded = name.normalize('NFKC').trim()
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const next = folded.toUpperCase().toLowerCase().normalize('NFKC').trim()
    if (next === folded) break
    folded = next
  }
  return folded
}

/** Folding and composing can undo each other's result; it settles after two rounds. */
const MAX_ROUNDS = 4

/** An address that mail can be sent to: no display name, and nothing that a mail server would read otherwise. */
export const MailAddress = z
  .string()
  .trim()
  .max(254, 'must be at most 254 characters')
  .regex(
    /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/,
    'must have the form name@example.com',
  )

/** The roles of an account as the API and the audit log name them: apps by `ref`. */
export const PersonRoles = z.strictObject({
  serverRole: Role.nullable(),
  appRoles: z.array(z.strictObject({ app: z.string(), role: Role })),
})
export type PersonRoles = z.infer<typeof PersonRoles>

/** Why a password is refused. */
export const PasswordIssue = z.enum(['too_short', 'too_long', 'common', 'guessable'])
export type PasswordIssue = z.infer<typeof PasswordIssue>

/** How a person who is signed in confirms that it is still them. */
export const ConfirmationMethod = z.enum(['password', 'code', 'passkey', 'single_sign_on'])
export type ConfirmationMethod = z.infer<typeof ConfirmationMethod>

export const SecondFactor = z.enum(['totp', 'recovery_code'])
/** What can be asked for after the password. */
export type SecondFactor = z.infer<typeof SecondFactor>

const path = z.array(z.string())

/** The refusals about accounts and signing in. */
export const PERSON_REFUSALS = {
  unauthenticated: [
    /** The name is unknown, the password wrong or the account disabled: nothing says which. */
    refusal('sign_in_failed', {}),
    refusal('second_factor_wrong', {}),
    /** The session, or a sign-in that waited for its second part, has ended. */
    refusal('sign_in_expired', {}),
    refusal('passkey_rejected', {}),
    /** Single sign-on: the provider did not confirm the sign-in. */
    refusal('single_sign_on_failed', {}),
    /** Single sign-on: no account is linked to that identity. */
    refusal('identity_unknown', {}),
    /** Single sign-on: the provider answered from an earlier sign-in, which confirms nothing. */
    refusal('sign_in_not_fresh', {}),
  ],
  limited: [
    /** Whole seconds until another attempt is accepted. */
    refusal('too_many_attempts', { retrySeconds: z.int() }),
    /** So many passwords wait to be compared that this one was not; whole seconds until another attempt. */
    refusal('sign_in_busy', { retrySeconds: z.int() }),
  ],
  unknown: [
    /** A code of the command line is unknown, expired or was used. */
    refusal('sign_in_code_invalid', {}),
    /** The link is unknown, expired or was used. */
    refusal('link_invalid', {}),
    refusal('unknown_person', { person: z.string() }),
    refusal('unknown_passkey', {}),
    /** Single sign-on: the account has no such identity. */
    refusal('unknown_identity', {}),
  ],
  invalid: [
    refusal('password_weak', { path, reason: PasswordIssue }),
    refusal('current_password_wrong', { path }),
  ],
  invariant: [
    refusal('already_set_up', {}),
    refusal('last_administrator', { name: z.string() }),
    refusal('own_access', {}),
    /** A link to set a password is for somebody else: one's own is changed with the present one. */
    refusal('own_link', {}),
    /** A form was filled in with earlier roles of the account. */
    refusal('person_changed', { name: z.string() }),
    /** A form was filled in with an earlier e-mail address of the account; `email`: the one it has now. */
    refusal('email_changed', { name: z.string(), email: z.string().nullable() }),
    /** Without it nobody could sign in to the account any more. */
    refusal('last_sign_in_method', {}),
    refusal('too_many_passkeys', { maximum: z.int() }),
  ],
  duplicate: [
    refusal('name_taken', { name: z.string() }),
    refusal('passkey_exists', {}),
    /** Single sign-on: the identity is linked to that other account. */
    refusal('identity_taken', { name: z.string() }),
  ],
  forbidden: [
    /** The person has to confirm first who they are, in one of these ways; in none, they sign in again. */
    refusal('confirmation_needed', { methods: z.array(ConfirmationMethod) }),
    /** The session of the command line was not granted accounts, and keys that bypass approvals. */
    refusal('not_granted', {}),
    /** The console is for this computer only, and the browser has not shown that it is there. */
    refusal('console_code_needed', {}),
    refusal('console_code_wrong', {}),
  ],
  temporary: [
    /** Single sign-on: the provider fails, and is asked again in that many whole seconds. */
    refusal('provider_unavailable', { retrySeconds: z.int() }),
  ],
} as const satisfies Refusals
export type PersonRefusal = RefusalOf<typeof PERSON_REFUSALS>

/** Characters of one member of a browser's answer: attestations are none, so all are short. */
const MAX_MEMBER = 16_384

const bytes = z.base64url().max(MAX_MEMBER)
const extensions = z.looseObject({}).default({})
const shared = {
  id: bytes.min(1),
  rawId: bytes.min(1),
  type: z.literal('public-key'),
  clientExtensionResults: extensions,
}

/** What the browser answers when a passkey is made (WebAuthn Level 3, section 5.1: `RegistrationResponseJSON`). */
export const PasskeyRegistration = z.object({
  ...shared,
  response: z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: z.array(z.string().max(32)).max(10).default([]),
  }),
})
export type PasskeyRegistration = z.infer<typeof PasskeyRegistration>

/** What the browser answers when a passkey is used (WebAuthn Level 3, section 5.1: `AuthenticationResponseJSON`). */
export const PasskeyAssertion = z.object({
  ...shared,
  response: z.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: bytes.exactOptional(),
  }),
})
export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>
