import type { ReleaseStatus } from '../../../shared/release.ts'
import type { CarriedOver } from '../interface/backups.ts'
import type { Connection } from '../sqlite/database.ts'
import { type EnabledWebhooks, enabledWebhooks } from './restored-outbox.ts'
import { type EnabledAccounts, enabledAccounts } from './restored-people.ts'

const SQL = {
  releases: 'SELECT id, status, rollout_pct, targets, revision FROM releases',
  revokedKeys: 'SELECT hash, revoked_at FROM api_keys WHERE revoked_at IS NOT NULL',
  validKeys: 'SELECT hash FROM api_keys WHERE revoked_at IS NULL',
  hasKey: 'SELECT 1 FROM api_keys WHERE hash = ?',
  isValid: 'SELECT 1 FROM api_keys WHERE hash = ? AND revoked_at IS NULL',
  release: 'SELECT id, status, rollout_pct, targets, offered, revision FROM releases WHERE id = ?',
  // One statement: once the status is rolled_back, a trigger refuses the other two.
  serve: `UPDATE releases SET status = @status, rollout_pct = @rollout_pct, targets = @targets,
    revision = @revision WHERE id = @id`,
  touch: `UPDATE channels SET revision = max(revision, @revision)
    WHERE key = (SELECT channel_key FROM releases WHERE id = @id)`,
  revoke: 'UPDATE api_keys SET revoked_at = @revoked_at WHERE hash = @hash AND revoked_at IS NULL',
}

interface Serving {
  readonly id: string
  readonly status: ReleaseStatus
  readonly rollout_pct: number
  readonly targets: string
  /** Grows with every change of the channel, so of two states of a release it names the later. */
  readonly revision: number
}

interface StoredServing extends Serving {
  readonly offered: 0 | 1
}

interface RevokedKey {
  readonly hash: string
  readonly revoked_at: string
}

/** Changes in a database that restoring an older copy must not undo. */
export interface LaterState {
  readonly releases: readonly Serving[]
  readonly revokedKeys: readonly RevokedKey[]
  /** Hashes of the keys that can be used. */
  readonly validKeys: readonly string[]
  readonly people: EnabledAccounts
  readonly webhooks: EnabledWebhooks
}

export const NO_LATER_STATE: LaterState = {
  releases: [],
  revokedKeys: [],
  validKeys: [],
  people: null,
  webhooks: null,
}

/** Reads what `carryOver` writes to a copy. */
export function laterState(database: Connection): LaterState {
  return {
    releases: database.prepare<[], Serving>(SQL.releases).all(),
    revokedKeys: database.prepare<[], RevokedKey>(SQL.revokedKeys).all(),
    validKeys: database.prepare<[], string>(SQL.validKeys).pluck().all(),
    people: enabledAccounts(database),
    webhooks: enabledWebhooks(database),
  }
}

/**
 * Carries rollbacks, later serving states and revocations over to a copy, for the releases and keys that the
 * copy contains. Call it inside a transaction, and before releases are marked as offered: until then
 * a rollout that was lowered before any device was offered the release can be lowered in the copy.
 */
export function carryOver(copy: Connection, { releases, revokedKeys }: LaterState): CarriedOver {
  const serve = copy.prepare<[Serving]>(SQL.serve)
  const touch = copy.prepare<[Serving]>(SQL.touch)
  const revoke = copy.prepare<[RevokedKey]>(SQL.revoke)
  const changes = servingChanges(copy, releases)
  for (const next of changes) {
    serve.run(next)
    touch.run(next)
  }
  let keysRevoked = 0
  for (const key of revokedKeys) keysRevoked += revoke.run(key).changes
  return { ...countServing(changes), keysRevoked }
}

/** Returns what `carryOver` would do, and how many usable keys the copy does not have. Changes nothing. */
export function previewCarryOver(
  copy: Connection,
  { releases, revokedKeys, validKeys }: LaterState,
): { readonly carriedOver: CarriedOver; readonly keysLost: number } {
  const isValid = copy.prepare<[string], number>(SQL.isValid)
  const hasKey = copy.prepare<[string], number>(SQL.hasKey)
  const keysRevoked = revokedKeys.filter(({ hash }) => isValid.get(hash) !== undefined).length
  const keysLost = validKeys.filter((hash) => hasKey.get(hash) === undefined).length
  return { carriedOver: { ...countServing(servingChanges(copy, releases)), keysRevoked }, keysLost }
}

/** The serving states that releases of the copy get. */
function servingChanges(copy: Connection, releases: readonly Serving[]): Serving[] {
  const stored = copy.prepare<[string], StoredServing>(SQL.release)
  return releases.flatMap((present) => {
    const restored = stored.get(present.id)
    return (restored && servingAfter(restored, present)) ?? []
  })
}

function countServing(changes: readonly Serving[]): Omit<CarriedOver, 'keysRevoked'> {
  const rolledBack = changes.filter(({ status }) => status === 'rolled_back').length
  return { rolledBack, servingKept: changes.length - rolledBack }
}

/**
 * The serving state that a restored release gets; undefined if it keeps its own. The later of the
 * two states counts, except that a rollback is final and the rollout of an offered release only grows.
 */
function servingAfter(restored: StoredServing, present: Serving): Serving | undefined {
  if (restored.status === 'rolled_back') return undefined
  const isLater = present.revision > restored.revision
  const { id, status, targets } = isLater ? present : restored
  const isLowered = isLater && restored.offered === 0
  const next: Serving = {
    id,
    status: present.status === 'rolled_back' ? present.status : status,
    rollout_pct: isLowered
      ? present.rollout_pct
      : Math.max(present.rollout_pct, restored.rollout_pct),
    targets,
    revision: Math.max(present.revision, restored.revision),
  }
  const isSame =
    next.status === restored.status &&
    next.rollout_pct === restored.rollout_pct &&
    next.targets === restored.targets
  return isSame ? undefined : next
}
