import { issueMessage } from '../issue.ts'
import { PASSWORD_LENGTH, type PasswordIssue } from '../person.ts'
import type { PersonRefusal } from '../person-refusal.ts'
import { formatCount, formatCounted } from './format.ts'

/** Returns the message of a refusal about people, as `refusalSentence` does. */
export function personRefusalSentence(facts: PersonRefusal): string {
  switch (facts.code) {
    case 'sign_in_failed':
      return 'incorrect name or password'
    case 'second_factor_wrong':
      return 'incorrect code; enter the current one'
    case 'sign_in_expired':
      return 'the sign-in has expired; sign in again'
    case 'too_many_attempts':
      return `too many attempts; try again in ${waitInWords(facts.retrySeconds)}`
    case 'sign_in_busy':
      return `too many people are signing in; try again in ${waitInWords(facts.retrySeconds)}`
    case 'sign_in_code_invalid':
      return 'this code is wrong, expired or already used; run "login" again for a new one'
    case 'link_invalid':
      return 'this link has expired or was already used; ask for a new one'
    case 'password_weak':
      return issueMessage({ path: facts.path, reason: PASSWORD_ISSUES[facts.reason] })
    case 'current_password_wrong':
      return issueMessage({ path: facts.path, reason: 'incorrect password' })
    case 'already_set_up':
      return 'this server already has an account; ask an administrator for an invitation'
    case 'name_taken':
      return `an account named "${facts.name}" already exists`
    case 'unknown_person':
      return `unknown account "${facts.person}"`
    case 'last_administrator':
      return `"${facts.name}" is the last administrator of this server; make another account an administrator first`
    case 'own_access':
      return 'you cannot change your own access; ask another administrator'
    case 'own_link':
      return 'you cannot create a link for your own account; change your password under My account'
    case 'confirmation_needed':
      return facts.methods.length === 0
        ? 'your account has nothing to confirm your identity with; ask another administrator for a link to set a password'
        : 'confirm your identity to continue'
    case 'not_granted':
      return 'this session of the command line cannot manage accounts, or create keys that bypass approvals'
    case 'person_changed':
      return `the roles of "${facts.name}" have changed in the meantime; review them and try again`
    case 'email_changed': {
      const change = facts.email === null ? 'was removed' : `was changed to ${facts.email}`
      return `the e-mail address of "${facts.name}" ${change} in the meantime; review it and try again`
    }
    case 'passkey_rejected':
      return 'the passkey could not be verified; try again or sign in with your password'
    case 'unknown_passkey':
      return 'unknown passkey'
    case 'passkey_exists':
      return 'this passkey is already registered'
    case 'last_sign_in_method':
      return 'this is the only way to sign in to the account; set a password first'
    case 'too_many_passkeys':
      return `an account can have at most ${formatCount(facts.maximum)} passkeys; delete one first`
    case 'single_sign_on_failed':
      return 'the identity provider did not confirm the sign-in; try again'
    case 'provider_unavailable':
      return `the identity provider is not responding; try again in ${waitInWords(facts.retrySeconds)}`
    case 'console_code_needed':
      return 'this console is for its own computer only; open it there in a browser, with the code from the terminal'
    case 'console_code_wrong':
      return 'this is not the code of the server that is running; print it again with "person console-code"'
    case 'identity_unknown':
      return 'no account is linked to this identity; ask an administrator for an invitation'
    case 'identity_taken':
      return `this identity is already linked to the account "${facts.name}"`
    case 'sign_in_not_fresh':
      return 'the identity provider did not ask you to sign in again; sign out there, and try again'
    case 'unknown_identity':
      return 'this identity is not linked to your account'
  }
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
