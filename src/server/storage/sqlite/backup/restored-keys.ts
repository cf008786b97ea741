import type { RestoredAccess } from '../../../../shared/access/restored-access.ts'
import type { Connection } from '../database.ts'

const SQL = {
  keys: 'SELECT hash, prefix, name, revoked_at FROM api_keys ORDER BY id',
  revoke: 'UPDATE api_keys SET revoked_at = ? WHERE hash = ? AND revoked_at IS NULL',
} as const

export interface StoredKey {
  readonly hash: string
  readonly prefix: string
  readonly name: string
  readonly revoked_at: string | null
}

type Difference = RestoredAccess['keys'][number]

/** Reads the API keys of a database. */
export function storedKeys(database: Connection): readonly StoredKey[] {
  return database.prepare<[], StoredKey>(SQL.keys).all()
}

/** Returns what `restrictKeys` would do with a copy. Changes nothing. */
export function previewKeys(
  copy: Connection,
  present: readonly StoredKey[] | null,
): RestoredAccess['keys'] {
  const restored = storedKeys(copy)
  const known = new Set(restored.map(({ hash }) => hash))
  const added = (present ?? []).filter((key) => key.revoked_at === null && !known.has(key.hash))
  return [
    ...toRevoke(restored, present).map(({ key, difference }) => named(key, difference)),
    ...added.map((key) => named(key, 'added')),
  ]
}

/**
 * Revokes the API keys of a copy that were revoked or removed since; without present keys all of them: which were
 * leaked since is not known, and a key cannot be made valid again. Returns the differences. Inside a transaction.
 */
export function restrictKeys(
  copy: Connection,
  present: readonly StoredKey[] | null,
  at: string,
): RestoredAccess['keys'] {
  const differences = previewKeys(copy, present)
  const revoke = copy.prepare<[string, string]>(SQL.revoke)
  for (const { key, since } of toRevoke(storedKeys(copy), present))
    revoke.run(since ?? at, key.hash)
  return differences
}

function toRevoke(restored: readonly StoredKey[], present: readonly StoredKey[] | null) {
  const now = new Map(present?.map((key) => [key.hash, key]))
  return restored.flatMap((key) => {
    const since = now.get(key.hash)?.revoked_at
    if (key.revoked_at !== null || since === null) return []
    const missing = present === null ? ('unknown' as const) : ('removed' as const)
    return [{ key, since, difference: since === undefined ? missing : ('revoked' as const) }]
  })
}

function named({ name, prefix }: StoredKey, difference: Difference['difference']): Difference {
  return { name, prefix, difference }
}
