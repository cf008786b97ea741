import type { ChannelPolicy } from '../../shared/channel.ts'
import type { ChangeId } from '../../shared/history.ts'
import * as catalogApps from '../catalog/apps.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { AppRecord, ChannelRecord } from '../catalog/store.ts'
import { type ChannelPlace, findActiveApp, findApp, type Principal } from './principal.ts'

interface Parts {
  readonly catalog: Catalog
}

/** Creates an app with the channel `stable`. Throws `invalid` (name) and `duplicate`. */
export async function createApp(
  { catalog }: Parts,
  { actor }: Principal,
  input: { readonly ref: string; readonly name?: string | undefined },
): Promise<AppRecord> {
  return await catalogApps.createApp(catalog, actor, input)
}

/** Changes the name that people see, also of an archived app. Throws `unknown` and `invalid` (name). */
export async function renameApp(
  { catalog }: Parts,
  principal: Principal,
  { app: named, name }: { readonly app: string; readonly name: string },
): Promise<void> {
  const { record } = findApp(await catalog.refresh(), principal, named)
  await catalogApps.renameApp(catalog, principal.actor, record, name)
}

/** Archives an app, whose devices are then offered nothing, or restores it. Throws `unknown`. */
export async function setAppArchived(
  { catalog }: Parts,
  principal: Principal,
  { app: named, archived }: { readonly app: string; readonly archived: boolean },
): Promise<void> {
  const { record } = findApp(await catalog.refresh(), principal, named)
  await catalogApps.setAppArchived(catalog, principal.actor, record, archived)
}

/** Creates a channel with the default policy. Throws `unknown`, `duplicate` and `invariant`. */
export async function createChannel(
  { catalog }: Parts,
  principal: Principal,
  input: { readonly app: string; readonly name: string },
): Promise<ChannelRecord> {
  findActiveApp(await catalog.refresh(), principal, input.app)
  return await catalogApps.createChannel(catalog, principal.actor, input)
}

/**
 * Changes the members of a channel's policy that are given. `seen` is the revision of the channel that the
 * change was decided on; undefined for any. Throws `unknown` and `invariant`.
 */
export async function setChannelPolicy(
  { catalog }: Parts,
  principal: Principal,
  input: ChannelPlace & {
    readonly change: catalogApps.PolicyChange
    readonly seen?: ChangeId | undefined
  },
): Promise<ChannelPolicy> {
  findActiveApp(await catalog.refresh(), principal, input.app)
  return await catalogApps.setChannelPolicy(catalog, principal.actor, input)
}
