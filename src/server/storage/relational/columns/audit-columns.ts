import type { AuditEntry, AuditRecord } from '../../../catalog/audit-log.ts'
import type { Columns } from './columns.ts'

/** An entry to append, as its table holds it: the actor in columns of its own, the states as JSON. */
export type AuditParameters = Omit<AuditEntry, 'actor' | 'before' | 'after'> & {
  readonly actorKind: AuditEntry['actor']['kind']
  readonly actorName: string
  readonly keyPrefix: string | null
  readonly address: string | null
  readonly via: 'command_line' | null
  readonly before: string
  readonly after: string
}

/** An entry as its table holds it. */
export type AuditRow = AuditParameters & Pick<AuditRecord, 'id'>

export const NEW_AUDIT = {
  at: 'at',
  actorKind: 'actor_kind',
  actorName: 'actor_name',
  action: 'action',
  app: 'app',
  channel: 'channel',
  version: 'version',
  before: 'before',
  after: 'after',
  address: 'address',
  via: 'via',
  keyPrefix: 'key_prefix',
} as const satisfies Columns<AuditParameters>

export const AUDIT = { id: 'id', ...NEW_AUDIT } as const satisfies Columns<AuditRow>

/** Returns the entry that a row holds. */
export function toAudit(row: AuditRow): AuditRecord {
  const { actorKind: kind, actorName: name, keyPrefix, address, via, before, after, ...entry } = row
  const key = keyPrefix === null ? {} : { keyPrefix }
  const from = address === null ? {} : { address }
  const actor = { kind, name, ...key, ...from, ...(via === null ? {} : { via }) }
  return { ...entry, actor, before: JSON.parse(before), after: JSON.parse(after) }
}

/** Returns an entry to append as its table holds it. */
export function auditParameters({ actor, before, after, ...entry }: AuditEntry): AuditParameters {
  const { kind: actorKind, name: actorName, keyPrefix = null, address = null, via = null } = actor
  return {
    ...entry,
    actorKind,
    actorName,
    keyPrefix,
    address,
    via,
    before: json(before),
    after: json(after),
  }
}

function json(value: unknown): string {
  return JSON.stringify(value) ?? 'null'
}
