import { PASSWORD_LENGTH, type PasswordIssue, type PersonRefusal } from '../../access/person.ts'
import type { Role } from '../../access/role.ts'
import { at, type Sentences } from '../../coded.ts'
import { formatCount, formatCounted } from '../format.ts'

/** The messages of the refusals about people, as `refusalSentence` returns them. */
export const PERSON_SENTENCES: Sentences<PersonRefusal> = {
  sign_in_failed: () => 'incorrect name or password',
  second_factor_wrong: () => 'incorrect code; enter the current one',
  sign_in_expired: () => 'the sign-in has expired; sign in again',
  too_many_attempts: ({ retrySeconds }) =>
    `too many attempts; try again in ${waitInWords(retrySeconds)}`,
  sign_in_busy: ({ retrySeconds }) =>
    `too many people are signing in; try again in ${waitInWords(retrySeconds)}`,
  sign_in_code_invalid: () =>
    'this code is wrong, expired or already used; run "login" again for a new one',
  link_invalid: () => 'this link has expired or was already used; ask for a new one',
  password_weak: ({ path, reason }) => at(path, PASSWORD_ISSUES[reason]),
  current_password_wrong: ({ path }) => at(path, 'incorrect password'),
  already_set_up: () =>
    'this server already has an account; ask an administrator for an invitation',
  name_taken: ({ name }) => `an account named "${name}" already exists`,
  unknown_person: ({ person }) => `unknown account "${person}"`,
  last_administrator: ({ name }) =>
    `"${name}" is the last administrator of this server; make another account an administrator first`,
  own_access: () => 'you cannot change your own access; ask another administrator',
  own_link: () =>
    'you cannot create a link for your own account; change your password under My account',
  confirmation_needed: ({ methods }) =>
    methods.length === 0
      ? 'your account has nothing to confirm your identity with; ask another administrator for a link to set a password'
      : 'confirm your identity to continue',
  not_granted: () =>
    'this session of the command line cannot manage accounts, or create keys that bypass approvals',
  person_changed: ({ name }) =>
    `the roles of "${name}" have changed in the meantime; review them and try again`,
  email_changed: (facts) => {
    const change = facts.email === null ? 'was removed' : `was changed to ${facts.email}`
    return `the e-mail address of "${facts.name}" ${change} in the meantime; review it and try again`
  },
  passkey_rejected: () =>
    'the passkey could not be verified; try again or sign in with your password',
  unknown_passkey: () => 'unknown passkey',
  passkey_exists: () => 'this passkey is already registered',
  last_sign_in_method: () => 'this is the only way to sign in to the account; set a password first',
  too_many_passkeys: ({ maximum }) =>
    `an account can have at most ${formatCount(maximum)} passkeys; delete one first`,
  single_sign_on_failed: () => 'the identity provider did not confirm the sign-in; try again',
  provider_unavailable: ({ retrySeconds }) =>
    `the identity provider is not responding; try again in ${waitInWords(retrySeconds)}`,
  console_code_needed: () =>
    'this console is for its own computer only; open it there in a browser, with the code from the terminal',
  console_code_wrong: () =>
    'this is not the code of the server that is running; print it again with "person console-code"',
  identity_unknown: () =>
    'no account is linked to this identity; ask an administrator for an invitation',
  identity_taken: ({ name }) => `this identity is already linked to the account "${name}"`,
  sign_in_not_fresh: () =>
    'the identity provider did not ask you to sign in again; sign out there, and try again',
  unknown_identity: () => 'this identity is not linked to your account',
}

const PASSWORD_ISSUES: Readonly<Record<PasswordIssue, string>> = {
  too_short: `must be at least ${PASSWORD_LENGTH.min} characters`,
  too_long: `must be at most ${PASSWORD_LENGTH.max} characters`,
  common: 'is a commonly used password; choose another',
  guessable: 'is too easy to guess; use a longer or less predictable one',
}

function waitInWords(seconds: number): string {
  if (seconds < 60) return formatCounted(seconds, 'second')
  return formatCounted(Math.ceil(seconds / 60), 'minute')
}

/** Returns the name of a role inside a sentence. */
export function roleName(role: Role): string {
  const names: Record<Role, string> = {
    viewer: 'viewer',
    release_manager: 'release manager',
    administrator: 'administrator',
  }
  return names[role]
}
