import { auditEntry } from '../../catalog/audit-log.ts'
import { type Catalog, requireChannel } from '../../catalog/catalog.ts'
import { Refusal } from '../../catalog/errors.ts'
import type { CatalogApp, CatalogChannel } from '../../catalog/snapshot.ts'
import type { CatalogRemoval, RemovalOutcome } from '../../catalog/store.ts'
import { refuseAlone } from '../approvals/second-person.ts'
import { type ChannelPlace, findApp, type Principal } from '../principal.ts'

/** What is to be removed: a channel, or the app where `channel` is null. */
interface Subject {
  readonly app: string
  readonly channel: string | null
}

/** Where apps and channels are removed with all that they have. */
export interface RemovalStore {
  /** Removes an app or a channel with releases and devices while checks go on, all or nothing. No check-in brings them back. */
  remove(removal: CatalogRemoval): Promise<RemovalOutcome>
}

export interface RemovalParts {
  readonly catalog: Catalog
  readonly removalStore: RemovalStore
}

/** A removal cannot be undone: `confirmation` must be the very name of what is to be removed. */
interface Confirmed {
  readonly confirmation: string
}

/**
 * Removes an app for good: channels, releases, keys, devices, counters. The audit log stays.
 * Needs the role `administrator`. Throws `invalid` (confirmation), `invariant` while it is served, `unknown` if it is
 * gone, and `forbidden`.
 */
export async function removeApp(
  parts: RemovalParts,
  principal: Principal,
  { app: named, confirmation }: { readonly app: string } & Confirmed,
): Promise<void> {
  const { catalog } = parts
  const app = findApp(await catalog.refresh(), principal, named, 'administrator')
  const { key: appKey, ref, name, id } = app.record
  const channels = [...app.channels.values()]
  refuseGuarded(principal, channels)
  requireConfirmation(confirmation, ref)
  const before = { id, name, channels: channels.map(sizeOf) }
  const at = catalog.timestamp()
  const entry = auditEntry(at, principal.actor, 'app.removed', { app: ref }, before, null)
  const channelKeys = channels.map(({ record }) => record.key)
  const what = { app: ref, channel: null }
  refuseServed(app, channels, what)
  await remove(parts, { appKey, channelKeys, wholeApp: true, entry }, what)
}

/**
 * Removes a channel for good, with its releases, counters and the devices that last checked on it.
 * Needs the role `administrator`. Throws `invalid` (confirmation), `unknown`, `forbidden`, and `invariant` while it is
 * served, or where the app would have no channel left.
 */
export async function removeChannel(
  parts: RemovalParts,
  principal: Principal,
  { app: named, channel: name, confirmation }: ChannelPlace & Confirmed,
): Promise<void> {
  const { catalog } = parts
  const app = findApp(await catalog.refresh(), principal, named, 'administrator')
  const channel = requireChannel(app, name)
  refuseGuarded(principal, [channel])
  requireConfirmation(confirmation, name)
  const { key: appKey, ref } = app.record
  const subject = { app: ref, channel: name }
  const before = sizeOf(channel)
  const at = catalog.timestamp()
  const entry = auditEntry(at, principal.actor, 'channel.removed', subject, before, null)
  refuseServed(app, [channel], subject)
  if (app.channels.size === 1) refuse('last_channel', subject)
  const channelKeys = [channel.record.key]
  await remove(parts, { appKey, channelKeys, wholeApp: false, entry }, subject)
}

/** What is created again under the same name would serve the same devices, without approval. */
function refuseGuarded(principal: Principal, channels: readonly CatalogChannel[]): void {
  const isGuarded = channels.some(({ record }) => record.policy.requireApproval)
  refuseAlone(principal, isGuarded, 'removal')
}

function requireConfirmation(typed: string, name: string): void {
  if (typed === name) return
  throw new Refusal({ code: 'unconfirmed', name })
}

/** Checked before any device is deleted; the transaction checks again. */
function refuseServed(app: CatalogApp, channels: readonly CatalogChannel[], what: Subject): void {
  if (app.record.archivedAt !== null) return
  const isServed = channels.some(({ compiled }) =>
    compiled.published.some(({ facts }) => facts.artifacts.length > 0),
  )
  if (isServed) refuse('served', what)
}

async function remove(
  { catalog, removalStore }: RemovalParts,
  removal: CatalogRemoval,
  what: Subject,
): Promise<void> {
  const outcome = await removalStore.remove(removal)
  await catalog.refresh()
  refuse(outcome, what)
}

function refuse(outcome: RemovalOutcome, { app, channel }: Subject): void {
  switch (outcome) {
    case 'removed':
      return
    case 'unknown':
      throw new Refusal(
        channel === null ? { code: 'unknown_app', app } : { code: 'unknown_channel', app, channel },
      )
    case 'served':
      throw new Refusal({ code: 'still_served', app, channel })
    case 'last_channel':
      throw new Refusal({ code: 'last_channel', app, channel })
    case 'outdated':
      throw new Refusal({ code: 'changed_meanwhile', app, channel })
  }
}

function sizeOf({ record, compiled }: CatalogChannel) {
  return { channel: record.name, policy: record.policy, releases: compiled.releases.length }
}
