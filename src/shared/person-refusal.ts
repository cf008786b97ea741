import { z } from 'zod'
import { ConfirmationMethod, PasswordIssue } from './person.ts'
import type { RefusalKind } from './refusal-kind.ts'

const path = z.array(z.string())

/** The refusals about accounts and signing in. */
export const PERSON_REFUSALS = [
  /** The name is unknown, the password wrong or the account disabled: nothing says which. */
  z.strictObject({ code: z.literal('sign_in_failed') }),
  z.strictObject({ code: z.literal('second_factor_wrong') }),
  /** The session, or a sign-in that waited for its second part, has ended. */
  z.strictObject({ code: z.literal('sign_in_expired') }),
  /** Whole seconds until another attempt is accepted. */
  z.strictObject({ code: z.literal('too_many_attempts'), retrySeconds: z.int() }),
  /** So many passwords wait to be compared that this one was not; whole seconds until another attempt. */
  z.strictObject({ code: z.literal('sign_in_busy'), retrySeconds: z.int() }),
  /** A code of the command line is unknown, expired or was used. */
  z.strictObject({ code: z.literal('sign_in_code_invalid') }),
  /** The link is unknown, expired or was used. */
  z.strictObject({ code: z.literal('link_invalid') }),
  z.strictObject({ code: z.literal('password_weak'), path, reason: PasswordIssue }),
  z.strictObject({ code: z.literal('current_password_wrong'), path }),
  z.strictObject({ code: z.literal('already_set_up') }),
  z.strictObject({ code: z.literal('name_taken'), name: z.string() }),
  z.strictObject({ code: z.literal('unknown_person'), person: z.string() }),
  z.strictObject({ code: z.literal('last_administrator'), name: z.string() }),
  z.strictObject({ code: z.literal('own_access') }),
  /** A link to set a password is for somebody else: one's own is changed with the present one. */
  z.strictObject({ code: z.literal('own_link') }),
  /** The person has to confirm first who they are, in one of these ways; in none, they sign in again. */
  z.strictObject({
    code: z.literal('confirmation_needed'),
    methods: z.array(ConfirmationMethod),
  }),
  /** The session of the command line was not granted accounts, and keys that bypass approvals. */
  z.strictObject({ code: z.literal('not_granted') }),
  /** A form was filled in with earlier roles of the account. */
  z.strictObject({ code: z.literal('person_changed'), name: z.string() }),
  /** A form was filled in with an earlier e-mail address of the account; `email`: the one it has now. */
  z.strictObject({
    code: z.literal('email_changed'),
    name: z.string(),
    email: z.string().nullable(),
  }),
  z.strictObject({ code: z.literal('passkey_rejected') }),
  z.strictObject({ code: z.literal('unknown_passkey') }),
  z.strictObject({ code: z.literal('passkey_exists') }),
  /** Without it nobody could sign in to the account any more. */
  z.strictObject({ code: z.literal('last_sign_in_method') }),
  z.strictObject({ code: z.literal('too_many_passkeys'), maximum: z.int() }),
  /** Single sign-on: the provider did not confirm the sign-in. */
  z.strictObject({ code: z.literal('single_sign_on_failed') }),
  /** Single sign-on: the provider fails, and is asked again in that many whole seconds. */
  z.strictObject({ code: z.literal('provider_unavailable'), retrySeconds: z.int() }),
  /** The console is for this computer only, and the browser has not shown that it is there. */
  z.strictObject({ code: z.literal('console_code_needed') }),
  z.strictObject({ code: z.literal('console_code_wrong') }),
  /** Single sign-on: no account is linked to that identity. */
  z.strictObject({ code: z.literal('identity_unknown') }),
  /** Single sign-on: the identity is linked to that other account. */
  z.strictObject({ code: z.literal('identity_taken'), name: z.string() }),
  /** Single sign-on: the provider answered from an earlier sign-in, which confirms nothing. */
  z.strictObject({ code: z.literal('sign_in_not_fresh') }),
  /** Single sign-on: the account has no such identity. */
  z.strictObject({ code: z.literal('unknown_identity') }),
] as const
export type PersonRefusal = z.infer<(typeof PERSON_REFUSALS)[number]>

/** Their kinds. */
export const PERSON_REFUSAL_KINDS: Readonly<Record<PersonRefusal['code'], RefusalKind>> = {
  sign_in_failed: 'unauthenticated',
  second_factor_wrong: 'unauthenticated',
  sign_in_expired: 'unauthenticated',
  too_many_attempts: 'limited',
  sign_in_busy: 'limited',
  sign_in_code_invalid: 'unknown',
  link_invalid: 'unknown',
  password_weak: 'invalid',
  current_password_wrong: 'invalid',
  already_set_up: 'invariant',
  name_taken: 'duplicate',
  unknown_person: 'unknown',
  last_administrator: 'invariant',
  own_access: 'invariant',
  own_link: 'invariant',
  confirmation_needed: 'forbidden',
  not_granted: 'forbidden',
  person_changed: 'invariant',
  email_changed: 'invariant',
  passkey_rejected: 'unauthenticated',
  unknown_passkey: 'unknown',
  passkey_exists: 'duplicate',
  last_sign_in_method: 'invariant',
  too_many_passkeys: 'invariant',
  single_sign_on_failed: 'unauthenticated',
  provider_unavailable: 'temporary',
  console_code_needed: 'forbidden',
  console_code_wrong: 'forbidden',
  identity_unknown: 'unauthenticated',
  identity_taken: 'duplicate',
  sign_in_not_fresh: 'unauthenticated',
  unknown_identity: 'unknown',
}
