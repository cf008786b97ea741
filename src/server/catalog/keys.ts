import { hash, randomBytes } from 'node:crypto'
import { ALL_SCOPES, mixesWall, type Scope } from '../../shared/access/key.ts'
import { foldName } from '../../shared/access/person.ts'
import { requireDisplayName } from './apps.ts'
import { type Actor, audit } from './audit-log.ts'
import { type Catalog, requireApp } from './catalog.ts'
import { invalid, Refusal } from './errors.ts'
import type { AppRecord, KeyRecord } from './records.ts'
import type { Snapshot } from './snapshot.ts'
import { storedActiveApp } from './stored.ts'

const KEY_START = 'tg_'
const KEY_BYTES = 32
const PREFIX_LENGTH = 8
const ONLY_WALL = 'must not have others beside "wall"'

/** SHA-256 of an API key, in hex: what is stored and looked up in its place. */
export function hashKey(secret: string): string {
  return hash('sha256', secret, 'hex')
}

/** The unrevoked key whose secret this is, or undefined. */
export function findKey(snapshot: Snapshot, secret: string): KeyRecord | undefined {
  const key = snapshot.apiKeyByHash.get(hashKey(secret))
  return key?.revokedAt === null ? key : undefined
}

/** A key to mint: without scopes it has all, with an app it sees that app only. */
export interface NewApiKey {
  readonly name: string
  readonly scopes?: readonly Scope[] | undefined
  readonly app?: string | undefined
  /** Whether it may make changes that require approval; false by default. */
  readonly bypassApproval?: boolean | undefined
}

/**
 * Mints a key. `secret` is in the answer alone: nothing can show it again. Without scopes the key
 * has all of the API; with an app it sees that app only. Throws `unknown` (app), `invalid` (name, scopes), and
 * `duplicate` if another key that can be used has the name in the same app, or for all apps.
 */
export async function mintKey(
  catalog: Catalog,
  actor: Actor,
  input: NewApiKey,
): Promise<{ secret: string; key: KeyRecord }> {
  const name = requireDisplayName(input.name)
  const snapshot = await catalog.refresh()
  const app = input.app === undefined ? null : requireApp(snapshot, input.app).record
  const scopes = [...new Set(input.scopes ?? ALL_SCOPES)]
  if (mixesWall(scopes)) throw invalid({ path: ['scopes'], reason: ONLY_WALL })
  const { bypassApproval = false } = input
  const { secret, prefix } = drawKey(snapshot)
  const key = await catalog.change(async (tx, at) => {
    if (app !== null) await storedActiveApp(tx, app)
    refuseTaken(await tx.keys(), name, app)
    const minted = await tx.insertKey({
      prefix,
      hash: hashKey(secret),
      name,
      scopes,
      appKey: app?.key ?? null,
      bypassApproval,
      createdAt: at,
    })
    const after = { prefix, name, scopes, ...(bypassApproval ? { bypassApproval } : {}) }
    await audit(tx, at, actor, 'key.minted', { app: app?.ref }, null, after)
    return minted
  })
  return { secret, key }
}

/** Revokes the key with that prefix, for good. Revoking twice changes nothing. Throws `unknown`. */
export async function revokeKey(
  catalog: Catalog,
  actor: Actor,
  prefix: string,
): Promise<KeyRecord> {
  const snapshot = await catalog.refresh()
  const key = snapshot.apiKeys.find((candidate) => candidate.prefix === prefix)
  if (key === undefined) throw unknownKey(prefix)
  if (key.revokedAt !== null) return key
  return await catalog.change(async (tx, at) => {
    // It may have been removed with its app, or revoked by someone else.
    const stored = (await tx.keys()).find(({ id }) => id === key.id)
    if (stored === undefined) throw unknownKey(prefix)
    if (stored.revokedAt !== null) return stored
    await tx.setRevoked(key.id, at)
    const app = snapshot.apps.find(({ record }) => record.key === key.appKey)?.record.ref
    const before = { prefix, revokedAt: null }
    await audit(tx, at, actor, 'key.revoked', { app }, before, { prefix, revokedAt: at })
    return { ...stored, revokedAt: at }
  })
}

/** Names of earlier versions can be the same: those keys stay valid, and their prefix tells them apart. */
function refuseTaken(keys: readonly KeyRecord[], name: string, app: AppRecord | null): void {
  const folded = foldName(name)
  const holder = keys.find(
    (key) =>
      key.revokedAt === null && key.appKey === (app?.key ?? null) && foldName(key.name) === folded,
  )
  if (holder === undefined) return
  const { prefix } = holder
  throw new Refusal({ code: 'key_exists', app: app?.ref ?? null, name: holder.name, prefix })
}

function unknownKey(prefix: string): Refusal {
  return new Refusal({ code: 'unknown_key', prefix })
}

/** A new key whose prefix no other key has, because people name keys by their prefix. */
function drawKey(snapshot: Snapshot): { secret: string; prefix: string } {
  const taken = new Set(snapshot.apiKeys.map((key) => key.prefix))
  for (;;) {
    const secret = KEY_START + randomBytes(KEY_BYTES).toString('base64url')
    const prefix = secret.slice(0, PREFIX_LENGTH)
    if (!taken.has(prefix)) return { secret, prefix }
  }
}
