import type { ChangeSummary, ClosedState } from '../../../shared/releases/change-request.ts'
import type { ChangeRequestRecord } from '../../catalog/records.ts'
import type { CatalogReads, CatalogWrites } from '../../catalog/store.ts'
import { Columns, type RowOf } from './columns/columns.ts'
import { perDialect, type Questions, type Statements } from './statements.ts'
import { change, insert } from './writes.ts'

/** A change request as its table holds it: its end in four columns. */
type Stored = Omit<ChangeRequestRecord, 'closed'> & {
  readonly state: ClosedState | 'open'
  readonly closedBy: string | null
  readonly closedAt: string | null
  readonly closingComment: string | null
}

type ChangeRequestRow = RowOf<Stored>

const CHANGE_REQUEST = new Columns<Stored>({
  id: 'plain',
  appKey: 'plain',
  channelKey: 'plain',
  version: 'plain',
  change: 'json',
  comment: 'plain',
  preview: 'json',
  proposer: 'plain',
  proposedBy: 'plain',
  proposedAt: 'plain',
  expiresAt: 'plain',
  state: 'plain',
  closedBy: 'plain',
  closedAt: 'plain',
  closingComment: 'plain',
})

const INSERT = CHANGE_REQUEST.insertInto('change_requests')
const SELECT = `SELECT ${CHANGE_REQUEST.selected()} FROM change_requests`

const SQL = perDialect(({ oneOf }) => {
  const ofApps = `${SELECT} WHERE ${oneOf('app_key', 'appKeys', 'int')}`
  const latestFirst = 'ORDER BY coalesce(closed_at, proposed_at) DESC, id DESC LIMIT @limit'
  return {
    open: `${ofApps} AND state = 'open' ${latestFirst}`,
    closed: `${ofApps} AND state <> 'open' ${latestFirst}`,
    one: `${SELECT} WHERE id = @id`,
    countOpen: `SELECT count(*) AS requests FROM change_requests
      WHERE channel_key = @channelKey AND state = 'open'`,
    expired: `${SELECT} WHERE state = 'open' AND expires_at <= @at
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
      return row && toChangeRequest(row)
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
      insert(tx, INSERT, toRow(request), `change request ${request.id}`),
    closeChangeRequest: (id, closing) =>
      change(tx, sql.close, { id, ...closing }, `open change request ${id}`),
    removeChangeRequests: (before) => tx.run(sql.remove, { before }),
  }
}

function toChangeRequest(row: ChangeRequestRow): ChangeRequestRecord {
  const { state, closedBy: by, closedAt: at, closingComment, ...plain } = CHANGE_REQUEST.read(row)
  const isOpen = state === 'open' || at === null
  return { ...plain, closed: isOpen ? null : { state, by, at, comment: closingComment ?? '' } }
}

function toRow({ closed, ...plain }: ChangeRequestRecord): ChangeRequestRow {
  return CHANGE_REQUEST.write({
    ...plain,
    state: closed?.state ?? 'open',
    closedBy: closed?.by ?? null,
    closedAt: closed?.at ?? null,
    closingComment: closed?.comment ?? null,
  })
}

/** Without notes, artifacts and documents. They are left out here: PostgreSQL refuses to take some valid JSON apart. */
function summaryOf(row: ChangeRequestRow): ChangeRequestRecord<ChangeSummary> {
  const { change, ...rest } = toChangeRequest(row)
  const requested: ChangeSummary & Omitted = change
  const { notes: _notes, artifacts: _artifacts, documents: _documents, ...summary } = requested
  return { ...rest, change: summary }
}

interface Omitted {
  readonly notes?: unknown
  readonly artifacts?: unknown
  readonly documents?: unknown
}
