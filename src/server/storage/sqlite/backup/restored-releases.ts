import type { RestoredAccess } from '../../../../shared/access/restored-access.ts'
import type { Actor } from '../../../catalog/audit-log.ts'
import type { CarriedOver, LostReleases, ReleaseName } from '../../interface/backups.ts'
import { createAuditWriter } from '../audit-writer.ts'
import { type Connection, withPlainConnection } from '../database.ts'
import { carryOver, type LaterState, NO_LATER_STATE } from './carry-over.ts'
import { restrictKeys } from './restored-keys.ts'
import { silenceOutbox } from './restored-outbox.ts'
import { restrictPeople } from './restored-people.ts'

/** None in a backup from before plans. */
const COLUMNS = "SELECT name FROM pragma_table_info('plans')"
const RUNNING = "status = 'running'"
const SUSPEND = `UPDATE plans SET status = 'suspended', reason = 'restored', since = ?,
    revision = lower(hex(randomblob(16)))
  WHERE ${RUNNING}`
const CLEAR = `UPDATE plans SET suspected_since = NULL WHERE ${RUNNING}`

/**
 * Plans of a restored copy that were running are suspended until a person resumes them: which steps were applied since
 * the backup is not known, nor whether their releases still seem to fail.
 */
function suspendPlans(copy: Connection, at: string): void {
  const columns = copy.prepare<[], string>(COLUMNS).pluck().all()
  if (columns.includes('suspected_since')) copy.prepare(CLEAR).run()
  if (columns.length > 0) copy.prepare(SUSPEND).run(at)
}

const HAS_COLUMN = "SELECT count(*) FROM pragma_table_info('releases') WHERE name = 'awaits_proof'"
const PAUSE = 'UPDATE releases SET awaits_proof = 0 WHERE awaits_proof = 1'

/**
 * Releases of a restored copy that waited for their proof stay paused until a person resumes them: whether somebody
 * paused them since the backup is not known.
 */
function keepPaused(copy: Connection): void {
  // A backup from before proofs has no such column.
  if (copy.prepare<[], number>(HAS_COLUMN).pluck().get() === 1) copy.prepare(PAUSE).run()
}

/** Releases listed by name; the others are only counted. */
const MOST_NAMED = 100

const NAMES = `SELECT a.ref AS app, c.name AS channel, r.version FROM releases r
  JOIN channels c ON c.key = r.channel_key JOIN apps a ON a.key = r.app_key
  ORDER BY r.created_at DESC, r.id DESC`
const UNMARKED = 'offered = 0 AND EXISTS (SELECT 1 FROM artifacts WHERE release_id = releases.id)'
const MARK = `UPDATE releases SET offered = 1 WHERE ${UNMARKED}`
const COUNT_UNMARKED = `SELECT count(*) FROM releases WHERE ${UNMARKED}`

/** Every release, newest first. */
export function releaseNames(database: Connection): ReleaseName[] {
  return database.prepare<[], ReleaseName>(NAMES).all()
}

/** Those of `present` that `kept` does not have, compared by name. */
export function lostReleases(
  present: readonly ReleaseName[],
  kept: readonly ReleaseName[],
): LostReleases {
  const names = new Set(kept.map(nameOf))
  const lost = present.filter((release) => !names.has(nameOf(release)))
  return { count: lost.length, newest: lost.slice(0, MOST_NAMED) }
}

function nameOf({ app, channel, version }: ReleaseName): string {
  return `${app} ${channel} ${version}`
}

/** Returns how many releases of a copy a restore marks as offered. */
export function countUnmarked(copy: Connection): number {
  return copy.prepare<[], number>(COUNT_UNMARKED).pluck().get() ?? 0
}

/** What a restore changed in the copy. */
export interface Claims {
  /** Releases that were marked as offered. */
  readonly offered: number
  /** Null if the present database cannot be read. */
  readonly carriedOver: CarriedOver | null
  readonly access: RestoredAccess
}

/**
 * Prepares a copy that is about to be restored for being served, and records the restore in the audit log, in
 * one transaction. Later changes in the present database are carried over: see `carryOver`,
 * `restrictPeople`, `restrictKeys` and `silenceOutbox`; `later` is null if that database cannot be read. Since the backup any release
 * that has artifacts may have been offered, so all of them count as offered, and no percentage can be lowered
 * below what devices were offered.
 */
export function claimOffered(
  copy: string,
  actor: Actor,
  lost: LostReleases,
  later: LaterState | null,
): Claims {
  return withPlainConnection(copy, { readonly: false }, (database) =>
    database.transaction(() => {
      const at = new Date().toISOString()
      const serving = later && carryOver(database, later)
      const access = {
        people: restrictPeople(database, later?.people ?? null, at),
        keys: restrictKeys(database, later?.keys ?? null, at),
      }
      const carriedOver = serving && { ...serving, keysRevoked: countRevoked(access) }
      const { changes: offered } = database.prepare(MARK).run()
      const ofLost = { releasesLost: lost.count, newestLost: lost.newest }
      const after = { offered, carriedOver, ...ofLost, access }
      createAuditWriter(database)({
        ...{ at, actor, action: 'database.restored', before: null, after },
        ...{ app: null, channel: null, version: null },
      })
      keepPaused(database)
      suspendPlans(database, at)
      silenceOutbox(database, later ?? NO_LATER_STATE)
      return { offered, carriedOver, access }
    })(),
  )
}

/** Returns how many keys were revoked since the backup. */
export function countRevoked({ keys }: RestoredAccess): number {
  return keys.filter(({ difference }) => difference === 'revoked').length
}
