import type { Connection } from '../database.ts'

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
export function suspendPlans(copy: Connection, at: string): void {
  const columns = copy.prepare<[], string>(COLUMNS).pluck().all()
  if (columns.includes('suspected_since')) copy.prepare(CLEAR).run()
  if (columns.length > 0) copy.prepare(SUSPEND).run(at)
}
