import type { ReleaseStatus } from '../../../../shared/releases/release.ts'
import type { CarriedOver } from '../../interface/backups.ts'
import type { Connection } from '../database.ts'
import { type StoredKey, storedKeys } from './restored-keys.ts'
import { enabledWebhooks, type LaterOutbox, storedBrowsers } from './restored-outbox.ts'
import { type StoredPeople, storedPeople } from './stored-people.ts'

const SQL = {
  releases: 'SELECT id, status, rollout_pct, targets, revision FROM releases',
  release: 'SELECT id, status, rollout_pct, targets, offered, revision FROM releases WHERE id = ?',
  // One statement: once the status is rolled_back, a trigger refuses the other two.
  serve: `UPDATE releases SET status = @status, rollout_pct = @rollout_pct, targets = @targets,
    revision = @revision WHERE id = @id`,
  touch: `UPDATE channels SET revision = max(revision, @revision)
    WHERE key = (SELECT channel_key FROM releases WHERE id = @id)`,
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

/** Changes in a database that restoring an older copy must not undo. */
export interface LaterState extends LaterOutbox {
  readonly releases: readonly Serving[]
  /** Null if there is no database. */
  readonly keys: readonly StoredKey[] | null
  readonly people: StoredPeople
}

export const NO_LATER_STATE: LaterState = {
  releases: [],
  keys: null,
  people: null,
  webhooks: null,
  browsers: null,
}

/** Reads what `carryOver` writes to a copy. */
export function laterState(database: Connection): LaterState {
  return {
    releases: database.prepare<[], Serving>(SQL.releases).all(),
    keys: storedKeys(database),
    people: storedPeople(database),
    webhooks: enabledWebhooks(database),
    browsers: storedBrowsers(database),
  }
}

/** The releases whose serving state a restore kept, counted. */
export type ServingCarriedOver = Omit<CarriedOver, 'keysRevoked'>

/**
 * Carries rollbacks and later serving states over to a copy, for the releases that the copy contains. Call it inside
 * a transaction, and before releases are marked as offered: until then
 * a rollout that was lowered before any device was offered the release can be lowered in the copy.
 */
export function carryOver(copy: Connection, { releases }: LaterState): ServingCarriedOver {
  const serve = copy.prepare<[Serving]>(SQL.serve)
  const touch = copy.prepare<[Serving]>(SQL.touch)
  const changes = servingChanges(copy, releases)
  for (const next of changes) {
    serve.run(next)
    touch.run(next)
  }
  return countServing(changes)
}

/** Returns what `carryOver` would do. Changes nothing. */
export function previewCarryOver(copy: Connection, { releases }: LaterState): ServingCarriedOver {
  return countServing(servingChanges(copy, releases))
}

/** The serving states that releases of the copy get. */
function servingChanges(copy: Connection, releases: readonly Serving[]): Serving[] {
  const stored = copy.prepare<[string], StoredServing>(SQL.release)
  return releases.flatMap((present) => {
    const restored = stored.get(present.id)
    return (restored && servingAfter(restored, present)) ?? []
  })
}

function countServing(changes: readonly Serving[]): ServingCarriedOver {
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
