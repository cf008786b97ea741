import type { AuditFilter, AuditRecord, AuditSpan } from '../../catalog/audit-log.ts'
import type { Connection } from '../sqlite/database.ts'
import { type AuditRow, toAudit } from './catalog-rows.ts'

// Left to itself SQLite takes the index of a release's history and looks through the whole app; by
// its ids a span costs what it holds, whatever the filter is.
const MATCHING = `FROM audit NOT INDEXED WHERE id > @above AND id <= @through
  AND (@app IS NULL OR app = @app)
  AND (@channel IS NULL OR channel = @channel)
  AND (@actorKind IS NULL OR actor_kind = @actorKind)
  AND (@actions IS NULL OR action LIKE @actions)
  AND (@from IS NULL OR at >= @from)
  AND (@to IS NULL OR at < @to)
  AND (@text IS NULL OR actor_name LIKE @text ESCAPE '\\' OR action LIKE @text ESCAPE '\\'
    OR app LIKE @text ESCAPE '\\' OR channel LIKE @text ESCAPE '\\'
    OR version LIKE @text ESCAPE '\\'
    OR before LIKE @text ESCAPE '\\' OR after LIKE @text ESCAPE '\\')`

const SQL = {
  last: 'SELECT coalesce(max(id), 0) FROM audit',
  count: `SELECT count(*) ${MATCHING}`,
  entries: `SELECT * ${MATCHING} ORDER BY id DESC LIMIT @limit`,
} as const

type Parameters = AuditSpan & {
  readonly [Name in 'app' | 'channel' | 'actorKind' | 'actions' | 'from' | 'to' | 'text']:
    | string
    | null
}

/** The audit log on one connection, synchronous. */
export class AuditReader {
  readonly last: () => number
  readonly count: (filter: AuditFilter, span: AuditSpan) => number
  readonly entries: (filter: AuditFilter, span: AuditSpan, limit: number) => AuditRecord[]

  constructor(database: Connection) {
    const last = database.prepare<[], number>(SQL.last).pluck()
    const count = database.prepare<[Parameters], number>(SQL.count).pluck()
    const entries = database.prepare<[Parameters & { limit: number }], AuditRow>(SQL.entries)
    this.last = () => last.get() ?? 0
    this.count = (filter, span) => count.get(parametersOf(filter, span)) ?? 0
    this.entries = (filter, span, limit) =>
      entries.all({ ...parametersOf(filter, span), limit }).map(toAudit)
  }
}

function parametersOf(filter: AuditFilter, { above, through }: AuditSpan): Parameters {
  const { app, channel, actorKind, actionGroup, search = '', from, to } = filter
  return {
    above,
    through,
    app: app ?? null,
    channel: channel ?? null,
    actorKind: actorKind ?? null,
    actions: actionGroup === undefined ? null : `${actionGroup}.%`,
    from: from ?? null,
    to: to ?? null,
    text: search === '' ? null : `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`,
  }
}
