import { auditEntry } from '../catalog/audit.ts'
import { Refusal } from '../catalog/errors.ts'
import type { CatalogApp, CatalogChannel } from '../catalog/snapshot.ts'
import type { CatalogRemoval, RemovalOutcome } from '../catalog/store.ts'
import type { ConsoleContext } from '../console/context.ts'

/** What is to be removed: a channel, or the app where `channel` is null. */
interface Subject {
  readonly app: string
  readonly channel: string | null
}

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
  const what = { app: ref, channel: null }
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
  refuseServed(app, [channel], subject)
  if (app.channels.size === 1) refuse('last_channel', subject)
  await remove(ctx, { appKey, channelKeys: [key], wholeApp: false, entry }, subject)
}

/** Said before any device goes; the transaction looks again. */
function refuseServed(app: CatalogApp, channels: readonly CatalogChannel[], what: Subject): void {
  if (app.record.archivedAt !== null) return
  const isServed = channels.some(({ compiled }) =>
    compiled.published.some(({ facts }) => facts.artifacts.length > 0),
  )
  if (isServed) refuse('served', what)
}

async function remove(ctx: ConsoleContext, removal: CatalogRemoval, what: Subject): Promise<void> {
  const { fleetStore, fleet } = ctx
  let outcome: RemovalOutcome = 'unknown'
  await fleet.forget(removal.channelKeys, {
    deleteDevices: (devices) => fleetStore.removeDevices(devices),
    commit: async (devices) => {
      outcome = await fleetStore.remove(removal, devices)
      return outcome === 'removed'
    },
  })
  await ctx.catalog.refresh()
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
