import type { ChangeSummary, RequestedChange } from '../../../../shared/change-request.ts'
import type { ChangeRequestClosing, ChangeRequestRecord } from '../../../catalog/records.ts'
import type { ChangeRequestQuery } from '../../../catalog/store.ts'
import {
  type ChangeRequestRow,
  changeRequestParameters,
  INSERT_CHANGE_REQUEST,
  SELECT_CHANGE_REQUESTS,
  toChangeRequest,
} from '../../columns/change-request-columns.ts'
import type { Queries, Transaction } from '../connection/database.ts'
import { named } from '../connection/statements.ts'
import { insert, unknown } from '../transactions/writes.ts'

const LATEST_FIRST = 'ORDER BY coalesce(closed_at, proposed_at) DESC, id DESC LIMIT $2'

const SQL = {
  open: `${SELECT_CHANGE_REQUESTS} WHERE app_key = ANY ($1::int[]) AND state = 'open' ${LATEST_FIRST}`,
  closed: `${SELECT_CHANGE_REQUESTS} WHERE app_key = ANY ($1::int[]) AND state <> 'open' ${LATEST_FIRST}`,
  one: `${SELECT_CHANGE_REQUESTS} WHERE id = $1`,
  countOpen: `SELECT count(*) AS requests FROM change_requests
    WHERE channel_key = $1 AND state = 'open'`,
  expired: `${SELECT_CHANGE_REQUESTS} WHERE state = 'open' AND expires_at <= $1
    ORDER BY expires_at LIMIT $2`,
  insert: named(INSERT_CHANGE_REQUEST),
  close: named(`UPDATE change_requests SET state = @state, closed_by = @by, closed_at = @at,
    closing_comment = @comment WHERE id = @id AND state = 'open'`),
  remove: "DELETE FROM change_requests WHERE state <> 'open' AND closed_at < $1",
} as const

type Summary = ChangeRequestRecord<ChangeSummary>

export async function listChangeRequests(
  queries: Queries,
  { appKeys, state, limit }: ChangeRequestQuery,
): Promise<Summary[]> {
  return (await queries.rows<ChangeRequestRow>(SQL[state], [appKeys, limit])).map(summaryOf)
}

export async function changeRequest(
  queries: Queries,
  id: string,
): Promise<ChangeRequestRecord | undefined> {
  const row = await queries.row<ChangeRequestRow>(SQL.one, [id])
  return row && toChangeRequest<RequestedChange>(row)
}

export async function countOpenChangeRequests(
  queries: Queries,
  channelKey: number,
): Promise<number> {
  const row = await queries.row<{ requests: number }>(SQL.countOpen, [channelKey])
  return row?.requests ?? 0
}

export async function expiredChangeRequests(
  queries: Queries,
  at: string,
  limit: number,
): Promise<Summary[]> {
  return (await queries.rows<ChangeRequestRow>(SQL.expired, [at, limit])).map(summaryOf)
}

export async function insertChangeRequest(
  tx: Transaction,
  request: ChangeRequestRecord,
): Promise<void> {
  const what = `change request ${request.id}`
  await insert(tx, SQL.insert, changeRequestParameters(request), what)
}

/** Rejects with `rejected` unless the request is open. */
export async function closeChangeRequest(
  tx: Queries,
  id: string,
  closing: ChangeRequestClosing,
): Promise<void> {
  const closed = await tx.run(SQL.close, { id, ...closing })
  if (closed !== 1) throw unknown(tx, `open change request ${id}`)
}

export async function removeChangeRequests(tx: Queries, before: string): Promise<number> {
  return await tx.run(SQL.remove, [before])
}

/** Without notes and artifacts. They are left out here: PostgreSQL refuses to take some valid JSON apart. */
function summaryOf(row: ChangeRequestRow): Summary {
  const { change, ...rest } = toChangeRequest<ChangeSummary & Omitted>(row)
  const { notes: _notes, artifacts: _artifacts, ...summary } = change
  return { ...rest, change: summary }
}

interface Omitted {
  readonly notes?: unknown
  readonly artifacts?: unknown
}
