import type { AuditEntry } from '../../catalog/audit-log.ts'
import type { Connection } from '../sqlite/database.ts'

const APPEND = `INSERT INTO audit
    (at, actor_kind, actor_name, action, app, channel, version, before, after)
  VALUES (@at, @kind, @name, @action, @app, @channel, @version, @before, @after)`

type Parameters = Omit<AuditEntry, 'actor'> &
  AuditEntry['actor'] & { readonly before: string; readonly after: string }

/** Returns how an entry is appended to the audit log, inside a transaction that the caller has begun. */
export function createAuditWriter(database: Connection): (entry: AuditEntry) => void {
  const append = database.prepare<[Parameters]>(APPEND)
  return ({ actor, before, after, ...entry }) => {
    append.run({ ...entry, ...actor, before: json(before), after: json(after) })
  }
}

function json(value: unknown): string {
  return JSON.stringify(value) ?? 'null'
}
