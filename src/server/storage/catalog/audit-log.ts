import type {
  AuditEntry,
  AuditFilter,
  AuditPlace,
  AuditRecord,
  AuditSpan,
} from '../../catalog/audit-log.ts'
import {
  AUDIT,
  type AuditParameters,
  type AuditRow,
  auditParameters,
  NEW_AUDIT,
  toAudit,
} from '../columns/audit-columns.ts'
import { insertInto, selected } from '../columns/columns.ts'
import type { Connection } from '../sqlite/database.ts'

// By default, SQLite would use the index of a release's history and scan the entire app. By id, a span costs
// only its own entries, whatever the filter is.
const MATCHING = `FROM audit NOT INDEXED WHERE id > @above AND id <= @through
  AND (@groups IS NULL
    OR substr(action, 1, instr(action, '.') - 1) IN (SELECT value FROM json_each(@groups)))
  AND (@apps IS NULL OR EXISTS (SELECT 1 FROM json_each(@apps) AS seen
    WHERE seen.value ->> 'ref' = app AND at >= seen.value ->> 'since'))
  AND (@app IS NULL OR app = @app)
  AND (@channel IS NULL OR channel = @channel)
  AND (@actorKind IS NULL OR actor_kind = @actorKind)
  AND (@actions IS NULL OR action LIKE @actions)
  AND (@from IS NULL OR at >= @from)
  AND (@to IS NULL OR at < @to)
  AND (@text IS NULL OR actor_name LIKE @text ESCAPE '\\' OR key_prefix LIKE @text ESCAPE '\\'
    OR action LIKE @text ESCAPE '\\' OR app LIKE @text ESCAPE '\\' OR channel LIKE @text ESCAPE '\\'
    OR version LIKE @text ESCAPE '\\' OR address LIKE @text ESCAPE '\\'
    OR before LIKE @text ESCAPE '\\' OR after LIKE @text ESCAPE '\\')`

const SQL = {
  columns: "SELECT name FROM pragma_table_info('audit')",
  latest: `SELECT ${selected(AUDIT)} FROM audit WHERE id < @before ORDER BY id DESC LIMIT @limit`,
  ofPlace: `SELECT ${selected(AUDIT)} FROM audit
    WHERE app = @app AND channel = @channel AND version IS @version
      AND action NOT GLOB 'change_request.*' AND action NOT GLOB 'draft.*'
      AND action NOT GLOB 'artifact.*' ORDER BY id DESC LIMIT @limit`,
  last: 'SELECT coalesce(max(id), 0) FROM audit',
  count: `SELECT count(*) ${MATCHING}`,
  entries: `SELECT ${selected(AUDIT)} ${MATCHING} ORDER BY id DESC LIMIT @limit`,
} as const

type FilterParameters = AuditSpan & {
  readonly [Name in
    | 'groups'
    | 'apps'
    | 'app'
    | 'channel'
    | 'actorKind'
    | 'actions'
    | 'from'
    | 'to'
    | 'text']: string | null
}

/** The audit log on one connection, synchronous. */
export class AuditReader {
  /** The newest entries first, with ids below `before` if it is given. */
  readonly latest: (query: { limit: number; before?: number }) => AuditRecord[]
  readonly ofPlace: (place: AuditPlace, limit: number) => AuditRecord[]
  readonly last: () => number
  readonly count: (filter: AuditFilter, span: AuditSpan) => number
  readonly entries: (filter: AuditFilter, span: AuditSpan, limit: number) => AuditRecord[]

  constructor(database: Connection) {
    const latest = database.prepare<[{ limit: number; before: number }], AuditRow>(SQL.latest)
    const ofPlace = database.prepare<[AuditPlace & { limit: number }], AuditRow>(SQL.ofPlace)
    const last = database.prepare<[], number>(SQL.last).pluck()
    const count = database.prepare<[FilterParameters], number>(SQL.count).pluck()
    const entries = database.prepare<[FilterParameters & { limit: number }], AuditRow>(SQL.entries)
    this.latest = ({ limit, before = Number.MAX_SAFE_INTEGER }) =>
      latest.all({ limit, before }).map(toAudit)
    this.ofPlace = ({ app, channel, version }, limit) =>
      ofPlace.all({ app, channel, version, limit }).map(toAudit)
    this.last = () => last.get() ?? 0
    this.count = (filter, span) => count.get(parametersOf(filter, span)) ?? 0
    this.entries = (filter, span, limit) =>
      entries.all({ ...parametersOf(filter, span), limit }).map(toAudit)
  }
}

/**
 * Returns a function that appends an entry to the audit log, inside a transaction that the caller has begun. A
 * backup from before one of its columns gets the entry without it.
 */
export function createAuditWriter(database: Connection): (entry: AuditEntry) => void {
  const columns = new Set(database.prepare<[], string>(SQL.columns).pluck().all())
  const known = Object.entries(NEW_AUDIT).filter(([, column]) => columns.has(column))
  const append = database.prepare<[AuditParameters]>(insertInto('audit', Object.fromEntries(known)))
  return (entry) => {
    const parameters = auditParameters(entry)
    // The table of a backup from before accounts knows no persons.
    const isUnknown = entry.actor.kind === 'person' && !columns.has(NEW_AUDIT.address)
    append.run(isUnknown ? { ...parameters, actorKind: 'console' } : parameters)
  }
}

function parametersOf(filter: AuditFilter, { above, through }: AuditSpan): FilterParameters {
  const { scope = {}, app, channel, actorKind, actionGroup, search = '', from, to } = filter
  return {
    above,
    through,
    groups: scope.groups === undefined ? null : JSON.stringify(scope.groups),
    apps: scope.apps === undefined ? null : JSON.stringify(scope.apps),
    app: app ?? null,
    channel: channel ?? null,
    actorKind: actorKind ?? null,
    actions: actionGroup === undefined ? null : `${actionGroup}.%`,
    from: from ?? null,
    to: to ?? null,
    text: search === '' ? null : `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`,
  }
}
