import { KeyItem } from '../../../shared/access/key.ts'
import { includesRole, type Role } from '../../../shared/access/role.ts'
import { Refusal } from '../../catalog/errors.ts'
import * as catalogKeys from '../../catalog/keys.ts'
import type { KeyRecord } from '../../catalog/records.ts'
import type { Snapshot } from '../../catalog/snapshot.ts'
import { type Access, requireServerRole, roleIn } from '../access.ts'
import { guardedApps, refuseAlone } from '../approvals/second-person.ts'
import type { WithCatalog } from '../bind.ts'
import { findActiveApp, type Principal } from '../principal.ts'

/**
 * Mints a key. `secret` is in this answer alone: nothing can show it again. A key of an app needs the role
 * `release_manager` in it, or `administrator` if it bypasses approval; a key for all apps needs the role
 * `administrator` on the server. Where approval is required, a key that bypasses it is minted on the server's computer only.
 * Throws `unknown` and `invariant` (app), `forbidden`, `invalid` (name), and `duplicate`.
 */
export async function mintKey(
  { catalog }: WithCatalog,
  principal: Principal,
  input: catalogKeys.NewApiKey,
): Promise<{ readonly secret: string; readonly key: KeyRecord }> {
  const { app: named, bypassApproval = false } = input
  const snapshot = await catalog.refresh()
  const guarded = guardedApps(snapshot)
  let isGuarded = guarded.size > 0
  if (named === undefined) requireServerRole(principal.access, 'administrator')
  else {
    const needs = bypassApproval ? 'administrator' : 'release_manager'
    const app = findActiveApp(snapshot, principal, named, needs)
    isGuarded = guarded.has(app.record.key)
  }
  if (bypassApproval) refuseAlone(principal, isGuarded, 'bypass_key')
  return await catalogKeys.mintKey(catalog, principal.actor, input)
}

/** Returns the visible keys, newest first: with the role `viewer` in their app, or on the server for those of all apps. */
export async function listKeys(
  { catalog }: WithCatalog,
  { access }: Principal,
): Promise<readonly KeyRecord[]> {
  // When keys were used is no change of the catalog, so the snapshot does not have it.
  const keys = await catalog.store.keys()
  return keys.filter(({ appKey }) => roleFor(access, appKey) !== null).reverse()
}

/** Revokes a key, for good. Needs the role that minting it would. Throws `unknown`, also for a key they do not see, and `forbidden`. */
export async function revokeKey(
  { catalog }: WithCatalog,
  { access, actor }: Principal,
  prefix: string,
): Promise<KeyRecord> {
  const { apiKeys, appByKey } = await catalog.refresh()
  const key = apiKeys.find((candidate) => candidate.prefix === prefix)
  const role = key === undefined ? null : roleFor(access, key.appKey)
  if (key === undefined || role === null) throw new Refusal({ code: 'unknown_key', prefix })
  const needs = key.appKey === null ? 'administrator' : 'release_manager'
  if (!includesRole(role, needs)) {
    const app = key.appKey === null ? null : (appByKey.get(key.appKey)?.record.ref ?? null)
    throw new Refusal({ code: 'forbidden', needs, app })
  }
  return await catalogKeys.revokeKey(catalog, actor, prefix)
}

/** Returns a key as people see it: its app by ref, and no hash. */
export function describeKey({ appByKey }: Snapshot, key: KeyRecord): KeyItem {
  const { id, hash, appKey, ...listed } = key
  const app = appKey === null ? null : (appByKey.get(appKey)?.record.ref ?? null)
  return KeyItem.parse({ ...listed, app })
}

/** The role over the keys of an app, or over those for all apps. */
function roleFor(access: Access, appKey: number | null): Role | null {
  return appKey === null ? access.server : roleIn(access, appKey)
}

export interface KeyUseParts {
  readonly keyUsage: { readonly note: (keyId: number) => void }
}

/** Records that a key was used now. Never waits: it is written a little later. */
export function noteKeyUse({ keyUsage }: KeyUseParts, keyId: number): void {
  keyUsage.note(keyId)
}
