import type { Connection } from '../database.ts'

const HAS_COLUMN = "SELECT count(*) FROM pragma_table_info('releases') WHERE name = 'awaits_proof'"
const PAUSE = 'UPDATE releases SET awaits_proof = 0 WHERE awaits_proof = 1'

/**
 * Releases of a restored copy that waited for their proof stay paused until a person resumes them: whether somebody
 * paused them since the backup is not known.
 */
export function keepPaused(copy: Connection): void {
  // A backup from before proofs has no such column.
  if (copy.prepare<[], number>(HAS_COLUMN).pluck().get() === 1) copy.prepare(PAUSE).run()
}
