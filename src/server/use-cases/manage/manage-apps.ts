import type { ProvingSettings } from '../../../shared/files/proving.ts'
import type { Freeze } from '../../../shared/plans/freeze.ts'
import * as catalogApps from '../../catalog/apps.ts'
import type { AppRecord, ChannelRecord } from '../../catalog/records.ts'
import { opensPrivate } from '../../outbound/allowed-hosts.ts'
import { requireServerRole } from '../access.ts'
import type { WithCatalog } from '../bind.ts'
import { findActiveApp, findApp, type Principal } from '../principal.ts'

/** Creates an app with the channel `stable`. Needs the server role `administrator`. Throws `forbidden`, `invalid` and `duplicate`. */
export async function createApp(
  { catalog }: WithCatalog,
  { access, actor }: Principal,
  input: { readonly ref: string; readonly name?: string | undefined },
): Promise<AppRecord> {
  requireServerRole(access, 'administrator')
  return await catalogApps.createApp(catalog, actor, input)
}

/** Renames an app, archived or not. Needs the role `administrator`. Throws `unknown`, `forbidden` and `invalid` (name). */
export async function renameApp(
  { catalog }: WithCatalog,
  principal: Principal,
  { app: named, name }: { readonly app: string; readonly name: string },
): Promise<void> {
  const { record } = findApp(await catalog.refresh(), principal, named, 'administrator')
  await catalogApps.renameApp(catalog, principal.actor, record, name)
}

/** Archives an app, which then offers nothing, or restores it. Needs the role `administrator`. Throws `unknown` and `forbidden`. */
export async function setAppArchived(
  { catalog }: WithCatalog,
  principal: Principal,
  { app: named, archived }: { readonly app: string; readonly archived: boolean },
): Promise<void> {
  const { record } = findApp(await catalog.refresh(), principal, named, 'administrator')
  await catalogApps.setAppArchived(catalog, principal.actor, record, archived)
}

/**
 * Changes what the artifacts of an app are proven against, see `setProvingSettings`. Needs the role `administrator`,
 * and on the server for allowed hosts that open addresses of its own network. Throws `unknown`, `forbidden` and
 * `invariant`.
 */
export async function setProving(
  { catalog }: WithCatalog,
  principal: Principal,
  input: {
    readonly app: string
    readonly change: catalogApps.ProvingChange
    readonly seen?: ProvingSettings | undefined
  },
): Promise<ProvingSettings> {
  const { actor, access } = principal
  const app = findActiveApp(await catalog.refresh(), principal, input.app, 'administrator')
  const onAdded = (hosts: readonly string[]) => {
    if (hosts.some(opensPrivate)) requireServerRole(access, 'administrator')
  }
  return await catalogApps.setProvingSettings(catalog, actor, app.record, { ...input, onAdded })
}

/** Sets the days without steps of an app. Needs the role `release_manager`. Throws `unknown`, `forbidden` and `invariant`. */
export async function setFreezes(
  { catalog }: WithCatalog,
  principal: Principal,
  { app: named, ...freezes }: catalogApps.FreezesToSet & { readonly app: string },
): Promise<readonly Freeze[]> {
  const app = findActiveApp(await catalog.refresh(), principal, named, 'release_manager')
  return await catalogApps.setFreezes(catalog, principal.actor, app.record, freezes)
}

/** Creates a channel. Needs the role `administrator`. Throws `unknown`, `forbidden`, `duplicate` and `invariant`. */
export async function createChannel(
  { catalog }: WithCatalog,
  principal: Principal,
  input: { readonly app: string; readonly name: string },
): Promise<ChannelRecord> {
  findActiveApp(await catalog.refresh(), principal, input.app, 'administrator')
  return await catalogApps.createChannel(catalog, principal.actor, input)
}
