import type { AuditEntry, AuditFilter, AuditRecord, AuditSpan } from '../../catalog/audit-log.ts'
import type { CatalogReads } from '../../catalog/store.ts'
import { Columns } from './columns/columns.ts'
import { type Dialect, perDialect, type Questions, type Statements } from './statements.ts'

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
type AuditRow = AuditParameters & Pick<AuditRecord, 'id'>

export const NEW_AUDIT = new Columns<AuditParameters>({
  at: 'plain',
  actorKind: 'plain',
  actorName: 'plain',
  action: 'plain',
  app: 'plain',
  channel: 'plain',
  version: 'plain',
  before: 'plain',
  after: 'plain',
  address: 'plain',
  via: 'plain',
  keyPrefix: 'plain',
})

const SELECTED = `SELECT ${new Columns<AuditRow>({ id: 'plain', ...NEW_AUDIT.forms }).selected()}`
const NEWEST = 'ORDER BY id DESC LIMIT @limit'

const SQL = perDialect(({ head }) => {
  const ofChannel = `${SELECTED} FROM audit WHERE app = @app AND channel = @channel
    AND ${head('action')} NOT IN ('change_request', 'draft', 'artifact')`
  return {
    append: NEW_AUDIT.insertInto('audit'),
    latest: `${SELECTED} FROM audit WHERE id < @before ${NEWEST}`,
    // Two statements: IS NOT DISTINCT FROM uses no index of PostgreSQL.
    ofRelease: `${ofChannel} AND version = @version ${NEWEST}`,
    ofChannel: `${ofChannel} AND version IS NULL ${NEWEST}`,
    last: 'SELECT coalesce(max(id), 0) AS id FROM audit',
  }
})

/** Texts that a search looks into. */
const SEARCHED = [
  ...['actor_name', 'key_prefix', 'action', 'app', 'channel', 'version', 'address'],
  ...['CAST(before AS text)', 'CAST(after AS text)'],
]

type AuditReads = Pick<CatalogReads, 'audit' | 'auditOf' | 'lastAuditId' | 'countAudit' | 'auditIn'>

/** The questions to the audit log. */
export function auditReads(questions: Questions): AuditReads {
  const entries = async (sql: string, parameters: object) =>
    (await questions.rows<AuditRow>(sql, parameters)).map(toAudit)
  return {
    audit: ({ limit, before = Number.MAX_SAFE_INTEGER }) =>
      entries(SQL(questions).latest, { limit, before }),
    auditOf({ app, channel, version }, limit) {
      const { ofChannel, ofRelease } = SQL(questions)
      return entries(version === null ? ofChannel : ofRelease, { app, channel, version, limit })
    },
    async lastAuditId() {
      return (await questions.row<{ id: number }>(SQL(questions).last))?.id ?? 0
    },
    async countAudit(filter, span) {
      const { from, parameters } = matching(questions.dialect, filter, span)
      const sql = `SELECT count(*) AS entries ${from}`
      return (await questions.row<{ entries: number }>(sql, parameters))?.entries ?? 0
    },
    auditIn: (filter, span, limit) => auditIn(questions, filter, span, limit),
  }
}

/** See `CatalogReads`. */
export async function auditIn(
  questions: Questions,
  filter: AuditFilter,
  span: AuditSpan,
  limit: number,
): Promise<AuditRecord[]> {
  const { from, parameters } = matching(questions.dialect, filter, span)
  const sql = `${SELECTED} ${from} ${NEWEST}`
  return (await questions.rows<AuditRow>(sql, { ...parameters, limit })).map(toAudit)
}

/** Appends an entry to the audit log, in a transaction that keeps others from it. */
export async function appendAudit(tx: Statements, entry: AuditEntry): Promise<void> {
  await tx.run(SQL(tx).append, auditParameters(entry))
}

/** What follows the columns for the entries of a filter, and its parameters. */
function matching(dialect: Dialect, filter: AuditFilter, { above, through }: AuditSpan) {
  const { auditById, oneOf, rowsOf, like, head } = dialect
  const { scope = {}, app, channel, actorKind, actionGroup, search = '', from, to } = filter
  const { groups, apps } = scope
  const text = search === '' ? undefined : `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`
  const conditions = [
    'id > @above AND id <= @through',
    groups && oneOf(head('action'), 'groups', 'text'),
    apps &&
      `EXISTS (SELECT 1 FROM ${rowsOf('apps', { ref: 'text', since: 'text' })}
        WHERE apps.ref = app AND at >= apps.since)`,
    app !== undefined && 'app = @app',
    channel !== undefined && 'channel = @channel',
    actorKind !== undefined && 'actor_kind = @actorKind',
    actionGroup !== undefined && `${head('action')} = @actionGroup`,
    from !== undefined && 'at >= @from',
    to !== undefined && 'at < @to',
    text && `(${SEARCHED.map((each) => like(each, '@text')).join(' OR ')})`,
  ]
  return {
    from: `${auditById} WHERE ${conditions.filter(Boolean).join(' AND ')}`,
    parameters: {
      above,
      through,
      groups,
      apps,
      app,
      channel,
      actorKind,
      actionGroup,
      from,
      to,
      text,
    },
  }
}

function toAudit(row: AuditRow): AuditRecord {
  const { actorKind: kind, actorName: name, keyPrefix, address, via, before, after, ...entry } = row
  const key = keyPrefix === null ? {} : { keyPrefix }
  const from = address === null ? {} : { address }
  const actor = { kind, name, ...key, ...from, ...(via === null ? {} : { via }) }
  return { ...entry, actor, before: JSON.parse(before), after: JSON.parse(after) }
}

/** Returns an entry to append as its table holds it. */
export function auditParameters({ actor, before, after, ...entry }: AuditEntry): AuditParameters {
  const { kind: actorKind, name: actorName, keyPrefix = null, address = null, via = null } = actor
  const states = { before: json(before), after: json(after) }
  return { ...entry, actorKind, actorName, keyPrefix, address, via, ...states }
}

function json(value: unknown): string {
  return JSON.stringify(value) ?? 'null'
}
