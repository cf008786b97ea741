import type { Account } from './account.ts'

/** Returns whether somebody uses an account, was invited to it, or may not. */
export function statusOf(account: Account): 'active' | 'invited' | 'disabled' {
  const { disabledAt, hasPassword, passkeys, identities } = account
  if (disabledAt !== null) return 'disabled'
  return hasPassword || passkeys.length > 0 || identities.length > 0 ? 'active' : 'invited'
}
