import { auditEntry } from '../catalog/audit.ts'
import { Refusal } from '../catalog/errors.ts'
import type { CatalogApp, CatalogChannel } from '../catalog/snapshot.ts'
import type { CatalogRemoval, RemovalOutcome } from '../catalog/store.ts'
import type { ConsoleContext } from '../console/context.ts'

type Refused = Exclude<RemovalOutcome, 'removed'>

/**
 * Removes an app for good: channels, releases, keys, devices, counters. The audit log stays.
 * Throws `invariant` while it is served, `unknown` where it is gone.
 */
export async function removeApp(ctx: ConsoleContext, app: CatalogApp): Promise<void> {
  const { key: appKey, ref, name, id } = app.record
  const channels = [...app.channels.values()]
  const before = { id, name, channels: channels.map(sizeOf) }
  const entry = auditEntry(
    ctx.catalog.timestamp(),
    ctx.actor,
    'app.removed',
    { app: ref },
    before,
    null,
  )
  const channelKeys = channels.map(({ record }) => record.key)
  const what = `app "${ref}"`
  refuseServed(app, channels, what)
  await remove(ctx, { appKey, channelKeys, wholeApp: true, entry }, what)
}

/**
 * Removes a channel for good, with its releases, counters and the devices that last checked on it.
 * Throws `invariant` while it is served, or where the app would have no channel left.
 */
export async function removeChannel(
  ctx: ConsoleContext,
  app: CatalogApp,
  channel: CatalogChannel,
): Promise<void> {
  const { key: appKey, ref } = app.record
  const { key, name } = channel.record
  const subject = { app: ref, channel: name }
  const entry = auditEntry(
    ctx.catalog.timestamp(),
    ctx.actor,
    'channel.removed',
    subject,
    sizeOf(channel),
    null,
  )
  const what = `channel "${name}" of app "${ref}"`
  refuseServed(app, [channel], what)
  if (app.channels.size === 1) refuse('last_channel', what)
  await remove(ctx, { appKey, channelKeys: [key], wholeApp: false, entry }, what)
}

/** Said before any device goes; the transaction looks again. */
function refuseServed(app: CatalogApp, channels: readonly CatalogChannel[], what: string): void {
  if (app.record.archivedAt !== null) return
  const isServed = channels.some(({ compiled }) =>
    compiled.published.some(({ facts }) => facts.artifacts.length > 0),
  )
  if (isServed) refuse('served', what)
}

async function remove(ctx: ConsoleContext, removal: CatalogRemoval, what: string): Promise<void> {
  const outcome = await ctx.removal.remove(removal)
  await ctx.catalog.refresh()
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
