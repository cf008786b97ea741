import type {
  AuditEntry,
  AuditFilter,
  AuditPlace,
  AuditRecord,
  AuditSpan,
} from '../../../catalog/audit-log.ts'
import {
  AUDIT,
  type AuditRow,
  auditParameters,
  NEW_AUDIT,
  toAudit,
} from '../../columns/audit-columns.ts'
import { insertInto, selected } from '../../columns/columns.ts'
import type { Queries } from '../connection/database.ts'
import { named } from '../connection/statements.ts'

const SELECT = `SELECT ${selected(AUDIT)} FROM audit`
const GROUP = "split_part(action, '.', 1)"
const NO_CHANGE = `${GROUP} NOT IN ('change_request', 'draft', 'artifact')`
const OF_CHANNEL = `${SELECT} WHERE app = @app AND channel = @channel AND ${NO_CHANGE}`
const NEWEST = 'ORDER BY id DESC LIMIT @limit'

const SQL = {
  append: named(insertInto('audit', NEW_AUDIT)),
  latest: named(`${SELECT} WHERE id < @before ${NEWEST}`),
  // Two statements: IS NOT DISTINCT FROM uses no index.
  ofRelease: named(`${OF_CHANNEL} AND version = @version ${NEWEST}`),
  ofChannel: named(`${OF_CHANNEL} AND version IS NULL ${NEWEST}`),
  last: 'SELECT coalesce(max(id), 0) AS id FROM audit',
} as const

/** Texts that a search looks into. */
const SEARCHED = [
  ...['actor_name', 'key_prefix', 'action', 'app', 'channel', 'version', 'address'],
  ...['before::text', 'after::text'],
]

/** Appends an entry to the audit log, in a transaction that holds the lock of the catalog: see `LOCKS`. */
export async function appendAudit(tx: Queries, entry: AuditEntry): Promise<void> {
  await tx.run(SQL.append, { ...auditParameters(entry) })
}

/** The newest entries first, with ids below `before` if it is given. */
export async function latestAudit(
  queries: Queries,
  { limit, before = Number.MAX_SAFE_INTEGER }: { limit: number; before?: number },
): Promise<AuditRecord[]> {
  return (await queries.rows<AuditRow>(SQL.latest, { limit, before })).map(toAudit)
}

export async function auditOfPlace(
  queries: Queries,
  { app, channel, version }: AuditPlace,
  limit: number,
): Promise<AuditRecord[]> {
  const statement = version === null ? SQL.ofChannel : SQL.ofRelease
  return (await queries.rows<AuditRow>(statement, { app, channel, version, limit })).map(toAudit)
}

export async function lastAuditId(queries: Queries): Promise<number> {
  return (await queries.row<{ id: number }>(SQL.last))?.id ?? 0
}

export async function countAudit(
  queries: Queries,
  filter: AuditFilter,
  span: AuditSpan,
): Promise<number> {
  const { where, parameters } = matching(filter, span)
  const found = await queries.row<{ entries: number }>(
    named(`SELECT count(*) AS entries FROM audit WHERE ${where}`),
    parameters,
  )
  return found?.entries ?? 0
}

export async function auditIn(
  queries: Queries,
  filter: AuditFilter,
  span: AuditSpan,
  limit: number,
): Promise<AuditRecord[]> {
  const { where, parameters } = matching(filter, span)
  const statement = named(`${SELECT} WHERE ${where} ${NEWEST}`)
  return (await queries.rows<AuditRow>(statement, { ...parameters, limit })).map(toAudit)
}

/** The condition of a filter, and what its parameters are. */
function matching(filter: AuditFilter, { above, through }: AuditSpan) {
  const { scope = {}, app, channel, actorKind, actionGroup, search = '', from, to } = filter
  const { groups, apps } = scope
  const text = search === '' ? undefined : `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`
  const conditions = [
    'id > @above AND id <= @through',
    groups && `${GROUP} = ANY (@groups::text[])`,
    apps &&
      `EXISTS (SELECT FROM unnest(@refs::text[], @sinces::text[]) AS seen (ref, since)
        WHERE seen.ref = app AND at >= seen.since)`,
    app !== undefined && 'app = @app',
    channel !== undefined && 'channel = @channel',
    actorKind !== undefined && 'actor_kind = @actorKind',
    actionGroup !== undefined && `${GROUP} = @actionGroup`,
    from !== undefined && 'at >= @from',
    to !== undefined && 'at < @to',
    // Under "C", only the letters of ASCII have two cases.
    text && `(${SEARCHED.map((each) => `${each} COLLATE "C" ILIKE @text`).join(' OR ')})`,
  ]
  return {
    where: conditions.filter(Boolean).join(' AND '),
    parameters: {
      ...{ above, through, groups, app, channel, actorKind, actionGroup, from, to, text },
      refs: apps?.map(({ ref }) => ref),
      sinces: apps?.map(({ since }) => since),
    },
  }
}
