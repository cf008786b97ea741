import { KeyItem, type Scope } from '../../shared/key.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { KeyUsage } from '../catalog/key-usage.ts'
import * as catalogKeys from '../catalog/keys.ts'
import type { Snapshot } from '../catalog/snapshot.ts'
import type { KeyRecord } from '../catalog/store.ts'
import { findActiveApp, type Principal } from './principal.ts'

interface Parts {
  readonly catalog: Catalog
}

/** A key to mint: without scopes it has all, with an app it sees that app only. */
export interface NewApiKey {
  readonly name: string
  readonly scopes?: readonly Scope[] | undefined
  readonly app?: string | undefined
}

/**
 * Mints a key. `secret` is in this answer alone: nothing can show it again. Throws `unknown` and `invariant`
 * (app), and `invalid` (name).
 */
export async function mintKey(
  { catalog }: Parts,
  principal: Principal,
  input: NewApiKey,
): Promise<{ readonly secret: string; readonly key: KeyRecord }> {
  if (input.app !== undefined) findActiveApp(await catalog.refresh(), principal, input.app)
  return await catalogKeys.mintKey(catalog, principal.actor, input)
}

/** Revokes the key with that prefix, for good. Throws `unknown`. */
export async function revokeKey(
  { catalog }: Parts,
  { actor }: Principal,
  prefix: string,
): Promise<KeyRecord> {
  return await catalogKeys.revokeKey(catalog, actor, prefix)
}

/** Returns a key as people see it: its app by ref, and no hash. */
export function describeKey({ appByKey }: Snapshot, key: KeyRecord): KeyItem {
  const { id, hash, appKey, ...listed } = key
  const app = appKey === null ? null : (appByKey.get(appKey)?.record.ref ?? null)
  return KeyItem.parse({ ...listed, app })
}

export interface KeyUseParts {
  readonly keyUsage: Pick<KeyUsage, 'note'>
}

/** Records that a key was used now. Never waits: it is written a little later. */
export function noteKeyUse({ keyUsage }: KeyUseParts, keyId: number): void {
  keyUsage.note(keyId)
}
