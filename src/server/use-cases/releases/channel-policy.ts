import { includesRole } from '../../../shared/access/role.ts'
import type { ChangeId, HistoryEntry } from '../../../shared/events/audit.ts'
import type { ChannelPolicy, ShownChannel } from '../../../shared/releases/channel.ts'
import * as policies from '../../catalog/channel-policy.ts'
import { Refusal } from '../../catalog/errors.ts'
import { historyOf } from '../../catalog/seen-changes.ts'
import type { CatalogApp } from '../../catalog/snapshot.ts'
import type { Account } from '../../people/account.ts'
import type { People } from '../../people/people.ts'
import { roleIn } from '../access.ts'
import { areIndependent, refuseAlone } from '../approvals/second-person.ts'
import type { WithCatalog } from '../bind.ts'
import {
  approvalOf,
  type ChannelPlace,
  findActiveApp,
  findApp,
  findChannel,
  type Principal,
  personOfAccount,
} from '../principal.ts'

/** Maximum number of changes that come with a channel. */
const MAX_HISTORY = 20

/** What decides who is in a rollout, like the rollout itself. */
const REACH: ReadonlySet<string> = new Set<keyof ChannelPolicy>(['earlyAccess', 'manualChecks'])

/** A channel with the latest changes of its policy, newest first. */
export interface ChannelWithHistory {
  readonly channel: ShownChannel
  readonly history: readonly HistoryEntry[]
}

/** Returns a channel with its policy. Needs the role `viewer`. Throws `unknown`. */
export async function showChannel(
  { catalog }: WithCatalog,
  principal: Principal,
  place: ChannelPlace,
): Promise<ChannelWithHistory> {
  const found = findChannel(await catalog.refresh(), principal, place, 'viewer')
  const named = { app: found.app.ref, channel: found.record.name, version: null }
  const { lastChange, history } = await historyOf(catalog.store, named, MAX_HISTORY)
  const { app, record } = findChannel(await catalog.refresh(), principal, place, 'viewer')
  const { name, policy, createdAt } = record
  return {
    channel: { app: app.ref, channel: name, policy, createdAt, lastChange },
    // The log also has changes of a removed app or channel that had the same name.
    history: history.filter(({ at }) => at >= createdAt),
  }
}

/** Returns how many people other than the principal can approve what they request in an app. Needs the role `viewer`. Throws `unknown`. */
export async function countApprovers(
  { catalog, people }: WithCatalog & { readonly people: Pick<People, 'list' | 'voucherOf'> },
  principal: Principal,
  { app: ref }: { readonly app: string },
): Promise<number> {
  const { record } = findApp(await catalog.refresh(), principal, ref, 'viewer')
  return people.list().filter((account) => mayApprove(people, account, principal, record.key))
    .length
}

/** Returns whether a person can approve what the principal requests in an app. */
function mayApprove(
  people: Pick<People, 'voucherOf'>,
  { id, access, disabledAt }: Account,
  { person }: Principal,
  appKey: number,
): boolean {
  if (disabledAt !== null || !includesRole(roleIn(access, appKey), 'release_manager')) return false
  return person === undefined || areIndependent(people, personOfAccount(id), person)
}

/**
 * Changes the members of a channel's policy that are given. `seen` is the revision of the channel that the
 * change was decided on; undefined for any. Needs the role `administrator`; for early access and manual checks alone
 * `release_manager`, unless the channel requires approval: then whoever signed in cannot weaken the policy. Throws `unknown`, `forbidden`, `invalid` and `invariant`.
 */
export async function setChannelPolicy(
  { catalog }: WithCatalog,
  principal: Principal,
  input: ChannelPlace & {
    readonly change: policies.PolicyChange
    readonly seen?: ChangeId | undefined
  },
): Promise<policies.PolicyResult> {
  const changed = Object.entries(input.change).filter(([, value]) => value !== undefined)
  const isReach = changed.length > 0 && changed.every(([member]) => REACH.has(member))
  const needs = isReach ? 'release_manager' : 'administrator'
  const app = findActiveApp(await catalog.refresh(), principal, input.app, needs)
  const onChange = refuseUnapproved(principal, app)
  return await policies.setChannelPolicy(catalog, principal.actor, { ...input, onChange })
}

/**
 * Puts a device on the early access list of a channel, or takes its ID off it. Needs the role `release_manager`,
 * `administrator` if the channel requires approval; adding one is then for those at the server's computer. Throws
 * `unknown`, `forbidden` and `invariant`.
 */
export async function setEarlyAccess(
  { catalog }: WithCatalog,
  principal: Principal,
  input: ChannelPlace & { readonly deviceId: string; readonly earlyAccess: boolean },
): Promise<policies.PolicyResult> {
  const app = findActiveApp(await catalog.refresh(), principal, input.app, 'release_manager')
  const onChange = refuseUnapproved(principal, app)
  return await policies.setEarlyAccess(catalog, principal.actor, { ...input, onChange })
}

/** Who has no approval can neither lift its requirement nor extend the reach, which release managers cannot change at all. */
function refuseUnapproved(principal: Principal, { record }: CatalogApp) {
  return (before: ChannelPolicy, after: ChannelPolicy) => {
    if (!before.requireApproval || approvalOf(principal) !== null) return
    if (!includesRole(roleIn(principal.access, record.key), 'administrator')) {
      throw new Refusal({ code: 'forbidden', needs: 'administrator', app: record.ref })
    }
    refuseAlone(principal, isWeaker(before, after), 'policy')
  }
}

/** Whether a policy lifts the requirement of approval, or has more devices in a rollout. */
function isWeaker(before: ChannelPolicy, after: ChannelPolicy): boolean {
  const [was, is] = [before.earlyAccess, after.earlyAccess]
  const known = new Set(was.targets.map((targets) => JSON.stringify(targets)))
  const hasMoreDevices = !new Set(is.deviceIds).isSubsetOf(new Set(was.deviceIds))
  const hasMoreTargets = is.targets.some((targets) => !known.has(JSON.stringify(targets)))
  const asksMore = after.manualChecks && !before.manualChecks
  return !after.requireApproval || hasMoreDevices || hasMoreTargets || asksMore
}
