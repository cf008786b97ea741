import type { AuditEntry } from '../../catalog/audit-log.ts'
import { type AuditParameters, auditParameters, NEW_AUDIT } from '../relational/audit-log.ts'
import { insertInto } from '../relational/columns/columns.ts'
import type { Connection } from './database.ts'

const COLUMNS = "SELECT name FROM pragma_table_info('audit')"

/**
 * Returns a function that appends an entry to the audit log, inside a transaction that the caller has begun. A
 * backup from before one of its columns gets the entry without it.
 */
export function createAuditWriter(database: Connection): (entry: AuditEntry) => void {
  const columns = new Set(database.prepare<[], string>(COLUMNS).pluck().all())
  const known = Object.entries(NEW_AUDIT.columns).filter(([, column]) => columns.has(column))
  const append = database.prepare<[AuditParameters]>(insertInto('audit', Object.fromEntries(known)))
  return (entry) => {
    const parameters = auditParameters(entry)
    // The table of a backup from before accounts knows no persons.
    const isUnknown = entry.actor.kind === 'person' && !columns.has('address')
    append.run(isUnknown ? { ...parameters, actorKind: 'console' } : parameters)
  }
}
