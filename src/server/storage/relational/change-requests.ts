import type { ChangeSummary, RequestedChange } from '../../../shared/change-request.ts'
import type { ChangeRequestRecord } from '../../catalog/records.ts'
import type { CatalogReads, CatalogWrites } from '../../catalog/store.ts'
import {
  type ChangeRequestRow,
  changeRequestParameters,
  INSERT_CHANGE_REQUEST,
  SELECT_CHANGE_REQUESTS,
  toChangeRequest,
} from './columns/change-request-columns.ts'
import { perDialect, type Questions, type Statements } from './statements.ts'
import { change, insert } from './writes.ts'

const SQL = perDialect(({ oneOf }) => {
  const ofApps = `${SELECT_CHANGE_REQUESTS} WHERE ${oneOf('app_key', 'appKeys', 'int')}`
  const latestFirst = 'ORDER BY coalesce(closed_at, proposed_at) DESC, id DESC LIMIT @limit'
  return {
    open: `${ofApps} AND state = 'open' ${latestFirst}`,
    closed: `${ofApps} AND state <> 'open' ${latestFirst}`,
    one: `${SELECT_CHANGE_REQUESTS} WHERE id = @id`,
    countOpen: `SELECT count(*) AS requests FROM change_requests
      WHERE channel_key = @channelKey AND state = 'open'`,
    expired: `${SELECT_CHANGE_REQUESTS} WHERE state = 'open' AND expires_at <= @at
      ORDER BY expires_at LIMIT @limit`,
    close: `UPDATE change_requests SET state = @state, closed_by = @by, closed_at = @at,
      closing_comment = @comment WHERE id = @id AND state = 'open'`,
    remove: "DELETE FROM change_requests WHERE state <> 'open' AND closed_at < @before",
  }
})

type ChangeRequestReads = Pick<
  CatalogReads,
  'changeRequests' | 'changeRequest' | 'countOpenChangeRequests' | 'expiredChangeRequests'
>

/** The questions to the change requests. */
export function changeRequestReads(questions: Questions): ChangeRequestReads {
  const sql = SQL(questions)
  const summaries = async (statement: string, parameters: object) =>
    (await questions.rows<ChangeRequestRow>(statement, parameters)).map(summaryOf)
  return {
    changeRequests: ({ appKeys, state, limit }) => summaries(sql[state], { appKeys, limit }),
    async changeRequest(id) {
      const row = await questions.row<ChangeRequestRow>(sql.one, { id })
      return row && toChangeRequest<RequestedChange>(row)
    },
    async countOpenChangeRequests(channelKey) {
      const row = await questions.row<{ requests: number }>(sql.countOpen, { channelKey })
      return row?.requests ?? 0
    },
    expiredChangeRequests: (at, limit) => summaries(sql.expired, { at, limit }),
  }
}

/** Their writes. */
export function changeRequestWrites(
  tx: Statements,
): Pick<CatalogWrites, 'insertChangeRequest' | 'closeChangeRequest' | 'removeChangeRequests'> {
  const sql = SQL(tx)
  return {
    insertChangeRequest: (request) =>
      insert(
        tx,
        INSERT_CHANGE_REQUEST,
        changeRequestParameters(request),
        `change request ${request.id}`,
      ),
    closeChangeRequest: (id, closing) =>
      change(tx, sql.close, { id, ...closing }, `open change request ${id}`),
    removeChangeRequests: (before) => tx.run(sql.remove, { before }),
  }
}

/** Without notes, artifacts and documents. They are left out here: PostgreSQL refuses to take some valid JSON apart. */
function summaryOf(row: ChangeRequestRow): ChangeRequestRecord<ChangeSummary> {
  const { change: requested, ...rest } = toChangeRequest<ChangeSummary & Omitted>(row)
  const { notes: _notes, artifacts: _artifacts, documents: _documents, ...summary } = requested
  return { ...rest, change: summary }
}

interface Omitted {
  readonly notes?: unknown
  readonly artifacts?: unknown
  readonly documents?: unknown
}
