import { includesRole } from '../../../shared/access/role.ts'
import type { ProtectedAct } from '../../../shared/refusal.ts'
import { Refusal } from '../../catalog/errors.ts'
import type { Snapshot } from '../../catalog/snapshot.ts'
import type { People } from '../../people/people.ts'
import { type Access, roleIn } from '../access.ts'
import { accountOfPerson, type Principal, personOfAccount } from '../principal.ts'

/** Returns the keys of the apps with a channel that requires approval; archived ones too, as they can be restored. */
export function guardedApps({ apps }: Pick<Snapshot, 'apps'>): ReadonlySet<number> {
  const guarded = apps.filter(({ channels }) =>
    [...channels.values()].some(({ record }) => record.policy.requireApproval),
  )
  return new Set(guarded.map(({ record }) => record.key))
}

/**
 * Refuses what would let a person who signed in release alone where approval is required. Those at the server's own
 * computer can do it: they could as well change the database. Throws `second_person_bypassed`.
 */
export function refuseAlone({ accountId }: Principal, isGuarded: boolean, act: ProtectedAct): void {
  if (accountId === undefined || !isGuarded) return
  throw new Refusal({ code: 'second_person_bypassed', act })
}

/** Returns whether an access has a role, in some of these apps or on the server, that the other has not. */
export function gains(
  role: 'release_manager' | 'administrator',
  { before, after }: { readonly before: Access; readonly after: Access },
  apps: Iterable<number>,
): boolean {
  const has = (access: Access, app: number) => includesRole(roleIn(access, app), role)
  return (
    (includesRole(after.server, role) && !includesRole(before.server, role)) ||
    [...apps].some((app) => has(after, app) && !has(before, app))
  )
}

/**
 * Returns who vouches for an account from now on, which they give a way to sign in or what it may approve: the
 * principal while approval is required somewhere, nobody (null) if they sit at the server's computer. Undefined for no
 * change.
 */
export function voucherOf({ accountId }: Principal, snapshot: Snapshot): string | null | undefined {
  if (accountId === undefined) return null
  return guardedApps(snapshot).size === 0 ? undefined : personOfAccount(accountId)
}

/**
 * Returns whether two people are known not to be one person with two accounts: neither vouches for the other, directly
 * or through others, and nobody vouches for both. An account that no longer exists tells nothing, so it is not.
 */
export function areIndependent(people: Pick<People, 'voucherOf'>, one: string, other: string) {
  const first = circleOf(people, one)
  const second = circleOf(people, other)
  return first !== null && second !== null && first.isDisjointFrom(second)
}

/** A person and all who vouch for them; null if one of them has no account any more. */
function circleOf(people: Pick<People, 'voucherOf'>, person: string): Set<string> | null {
  const circle = new Set<string>()
  let next: string | null = person
  while (next !== null && !circle.has(next)) {
    circle.add(next)
    const account = accountOfPerson(next)
    const voucher: string | null | undefined = account === null ? null : people.voucherOf(account)
    if (voucher === undefined) return null
    next = voucher
  }
  return circle
}
