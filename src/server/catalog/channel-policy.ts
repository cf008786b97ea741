import type { ChangeId } from '../../shared/events/audit.ts'
import { type ChannelPolicy, MAX_EARLY_DEVICES } from '../../shared/releases/channel.ts'
import { invalidRange } from '../rules/decision/targets.ts'
import { type Actor, audit } from './audit-log.ts'
import { type Catalog, requireApp, requireChannel } from './catalog.ts'
import { Refusal } from './errors.ts'
import { OUTDATED } from './releases/proofs.ts'
import { refuseChangedSince } from './seen-changes.ts'
import { storedChannel } from './stored.ts'

/** The members of a policy to change; the others, and those that are undefined, stay. */
export type PolicyChange = {
  readonly [Member in keyof ChannelPolicy]?: ChannelPolicy[Member] | undefined
}

/** The channel whose policy changes, and under what conditions. */
interface PolicyTask {
  readonly app: string
  readonly channel: string
  /** Called inside the transaction with the policy as it is stored and as it will be; what it throws refuses the change. */
  readonly onChange?: ((before: ChannelPolicy, after: ChannelPolicy) => void) | undefined
}

export interface PolicyResult {
  readonly policy: ChannelPolicy
  readonly changed: boolean
}

/**
 * Changes the members of a channel's policy that `change` names; every decision from then on
 * follows it. Another choice of signatures that pass unchecked makes what was proven due again. A change that changes nothing writes nothing. `seen` is the revision of the channel that the
 * change was decided on, see `refuseChangedSince`. Throws `unknown` (app, channel), `invalid` (a range in the early
 * access list) and, for a change since `seen`, `invariant`.
 */
export async function setChannelPolicy(
  catalog: Catalog,
  actor: Actor,
  input: PolicyTask & {
    readonly change: PolicyChange
    readonly seen?: ChangeId | undefined
  },
): Promise<PolicyResult> {
  refuseInvalidEarlyAccess(input.change)
  return await changePolicy(catalog, actor, input, (before) => {
    return { ...before, ...defined(input.change) }
  })
}

/** Puts a device on the early access list of a channel, or takes it off. Throws `unknown` (app, channel), and `invariant` when full. */
export async function setEarlyAccess(
  catalog: Catalog,
  actor: Actor,
  input: PolicyTask & { readonly deviceId: string; readonly earlyAccess: boolean },
): Promise<PolicyResult> {
  const { app, channel, deviceId, earlyAccess } = input
  return await changePolicy(catalog, actor, input, (before) => {
    const { deviceIds, ...rest } = before.earlyAccess
    if (deviceIds.includes(deviceId) === earlyAccess) return before
    if (earlyAccess && deviceIds.length >= MAX_EARLY_DEVICES) {
      throw new Refusal({ code: 'early_access_full', app, channel, maximum: MAX_EARLY_DEVICES })
    }
    const others = deviceIds.filter((id) => id !== deviceId)
    const changed = { deviceIds: earlyAccess ? [...others, deviceId] : others, ...rest }
    return { ...before, earlyAccess: changed }
  })
}

async function changePolicy(
  catalog: Catalog,
  actor: Actor,
  { seen, onChange, ...named }: PolicyTask & { readonly seen?: ChangeId | undefined },
  afterOf: (before: ChannelPolicy) => ChannelPolicy,
): Promise<PolicyResult> {
  const app = requireApp(await catalog.refresh(), named.app)
  const channel = requireChannel(app, named.channel)
  const { record } = channel
  return await catalog.change(async (tx, at) => {
    const { policy: before } = await storedChannel(tx, channel)
    const after = afterOf(before)
    onChange?.(before, after)
    const subject = { app: app.record.ref, channel: record.name }
    await refuseChangedSince(tx, { ...subject, version: null }, seen)
    if (JSON.stringify(before) === JSON.stringify(after)) return { policy: before, changed: false }
    await tx.setPolicy(record.key, after)
    if (`${before.uncheckedSignatures}` !== `${after.uncheckedSignatures}`) {
      await tx.setProofsDue(record.appKey, OUTDATED)
    }
    await audit(tx, at, actor, 'channel.policy_changed', subject, before, after)
    return { policy: after, changed: true }
  })
}

function refuseInvalidEarlyAccess({ earlyAccess }: PolicyChange): void {
  for (const [index, targets] of (earlyAccess?.targets ?? []).entries()) {
    const path = invalidRange(targets)
    if (path === undefined) continue
    const place = ['earlyAccess', 'targets', String(index), ...path]
    throw new Refusal({ code: 'invalid_range', path: place })
  }
}

function defined(change: PolicyChange) {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}
