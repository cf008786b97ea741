import { auditEntry } from '../catalog/audit.ts'
import { type Catalog, requireChannel } from '../catalog/catalog.ts'
import { Refusal } from '../catalog/errors.ts'
import type { CatalogApp, CatalogChannel } from '../catalog/snapshot.ts'
import type { CatalogRemoval, RemovalOutcome } from '../catalog/store.ts'
import { type ChannelPlace, findApp, type Principal } from './principal.ts'

type Refused = Exclude<RemovalOutcome, 'removed'>

/** Where apps and channels are removed with all that they have. */
export interface RemovalStore {
  /**
   * Removes an app or a channel with its releases, and takes its devices out of the fleet while checks
   * go on, all or nothing. No heartbeat brings any of it back.
   */
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
 * Throws `invalid` (confirmation), `invariant` while it is served, `unknown` where it is gone.
 */
export async function removeApp(
  parts: RemovalParts,
  principal: Principal,
  { app: named, confirmation }: { readonly app: string } & Confirmed,
): Promise<void> {
  const { catalog } = parts
  const app = findApp(await catalog.refresh(), principal, named)
  const { key: appKey, ref, name, id } = app.record
  requireConfirmation(confirmation, ref)
  const channels = [...app.channels.values()]
  const before = { id, name, channels: channels.map(sizeOf) }
  const at = catalog.timestamp()
  const entry = auditEntry(at, principal.actor, 'app.removed', { app: ref }, before, null)
  const channelKeys = channels.map(({ record }) => record.key)
  const what = `app "${ref}"`
  refuseServed(app, channels, what)
  await remove(parts, { appKey, channelKeys, wholeApp: true, entry }, what)
}

/**
 * Removes a channel for good, with its releases, counters and the devices that last checked on it.
 * Throws `invalid` (confirmation), `unknown`, and `invariant` while it is served, or where the app would have
 * no channel left.
 */
export async function removeChannel(
  parts: RemovalParts,
  principal: Principal,
  { app: named, channel: name, confirmation }: ChannelPlace & Confirmed,
): Promise<void> {
  const { catalog } = parts
  const app = findApp(await catalog.refresh(), principal, named)
  const channel = requireChannel(app, name)
  requireConfirmation(confirmation, name)
  const { key: appKey, ref } = app.record
  const subject = { app: ref, channel: name }
  const before = sizeOf(channel)
  const at = catalog.timestamp()
  const entry = auditEntry(at, principal.actor, 'channel.removed', subject, before, null)
  const what = `channel "${name}" of app "${ref}"`
  refuseServed(app, [channel], what)
  if (app.channels.size === 1) refuse('last_channel', what)
  const channelKeys = [channel.record.key]
  await remove(parts, { appKey, channelKeys, wholeApp: false, entry }, what)
}

function requireConfirmation(typed: string, name: string): void {
  if (typed === name) return
  throw new Refusal('invalid', `confirmation: type ${name} to confirm`)
}

/** Said before any device goes; the transaction looks again. */
function refuseServed(app: CatalogApp, channels: readonly CatalogChannel[], what: string): void {
  if (app.record.archivedAt !== null) return
  const isServed = channels.some(({ compiled }) =>
    compiled.published.some(({ facts }) => facts.artifacts.length > 0),
  )
  if (isServed) refuse('served', what)
}

async function remove(
  { catalog, removalStore }: RemovalParts,
  removal: CatalogRemoval,
  what: string,
): Promise<void> {
  const outcome = await removalStore.remove(removal)
  await catalog.refresh()
  refuse(outcome, what)
}

function refuse(outcome: RemovalOutcome, what: string): void {
  if (outcome === 'removed') return
  throw new Refusal(outcome === 'unknown' ? 'unknown' : 'invariant', reasonOf(outcome, what))
}

function reasonOf(outcome: Refused, what: string): string {
  switch (outcome) {
    case 'unknown':
      return `unknown ${what}`
    case 'served':
      return `${what} serves published releases: archive the app or roll them back first`
    case 'last_channel':
      return `${what} is the only one: an app keeps at least one channel`
    case 'outdated':
      return `${what} was changed by somebody else: look again`
    default:
      return outcome satisfies never
  }
}

function sizeOf({ record, compiled }: CatalogChannel) {
  return { channel: record.name, policy: record.policy, releases: compiled.releases.length }
}
