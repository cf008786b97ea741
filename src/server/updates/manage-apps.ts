import type { ChannelPolicy } from '../../shared/channel.ts'
import type { ChangeId } from '../../shared/history.ts'
import * as catalogApps from '../catalog/apps.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { AppRecord, ChannelRecord } from '../catalog/store.ts'
import { requireServerRole } from './access.ts'
import { type ChannelPlace, findActiveApp, findApp, type Principal } from './principal.ts'

interface Parts {
  readonly catalog: Catalog
}

/**
 * Creates an app with the channel `stable`. Needs the role `administrator` on the server. Throws `forbidden`,
 * `invalid` (name) and `duplicate`.
 */
export async function createApp(
  { catalog }: Parts,
  { access, actor }: Principal,
  input: { readonly ref: string; readonly name?: string | undefined },
): Promise<AppRecord> {
  requireServerRole(access, 'administrator')
  return await catalogApps.createApp(catalog, actor, input)
}

/**
 * Changes the name that people see, also of an archived app. Needs the role `administrator`. Throws `unknown`,
 * `forbidden` and `invalid` (name).
 */
export async function renameApp(
  { catalog }: Parts,
  principal: Principal,
  { app: named, name }: { readonly app: string; readonly name: string },
): Promise<void> {
  const { record } = findApp(await catalog.refresh(), principal, named, 'administrator')
  await catalogApps.renameApp(catalog, principal.actor, record, name)
}

/**
 * Archives an app, whose devices are then offered nothing, or restores it. Needs the role `administrator`. Throws
 * `unknown` and `forbidden`.
 */
export async function setAppArchived(
  { catalog }: Parts,
  principal: Principal,
  { app: named, archived }: { readonly app: string; readonly archived: boolean },
): Promise<void> {
  const { record } = findApp(await catalog.refresh(), principal, named, 'administrator')
  await catalogApps.setAppArchived(catalog, principal.actor, record, archived)
}

/**
 * Creates a channel with the default policy. Needs the role `administrator`. Throws `unknown`, `forbidden`,
 * `duplicate` and `invariant`.
 */
export async function createChannel(
  { catalog }: Parts,
  principal: Principal,
  input: { readonly app: string; readonly name: string },
): Promise<ChannelRecord> {
  findActiveApp(await catalog.refresh(), principal, input.app, 'administrator')
  return await catalogApps.createChannel(catalog, principal.actor, input)
}

/**
 * Changes the members of a channel's policy that are given. `seen` is the revision of the channel that the
 * change was decided on; undefined for any. Needs the role `administrator`. Throws `unknown`, `forbidden` and
 * `invariant`.
 */
export async function setChannelPolicy(
  { catalog }: Parts,
  principal: Principal,
  input: ChannelPlace & {
    readonly change: catalogApps.PolicyChange
    readonly seen?: ChangeId | undefined
  },
): Promise<ChannelPolicy> {
  findActiveApp(await catalog.refresh(), principal, input.app, 'administrator')
  return await catalogApps.setChannelPolicy(catalog, principal.actor, input)
}
