import type { ChangeSummary, RequestedChange } from '../../../shared/change-request.ts'
import type { ChangeRequestClosing, ChangeRequestRecord } from '../../catalog/records.ts'
import type { ChangeRequestQuery } from '../../catalog/store.ts'
import {
  CHANGE_REQUEST,
  type ChangeRequestRow,
  changeRequestParameters,
  INSERT_CHANGE_REQUEST,
  SELECT_CHANGE_REQUESTS,
  toChangeRequest,
} from '../columns/change-request-columns.ts'
import { selected } from '../columns/columns.ts'
import type { Connection } from '../sqlite/database.ts'

/** Without notes and artifacts. */
const SUMMARY = { ...CHANGE_REQUEST, change: "json_remove(change, '$.notes', '$.artifacts')" }
const SELECT_SUMMARIES = `SELECT ${selected(SUMMARY)} FROM change_requests`

const SQL = {
  list: `${SELECT_SUMMARIES}
    WHERE app_key IN (SELECT value FROM json_each(@appKeys)) AND (state = 'open') = @open
    ORDER BY coalesce(closed_at, proposed_at) DESC, id DESC LIMIT @limit`,
  one: `${SELECT_CHANGE_REQUESTS} WHERE id = ?`,
  countOpen: "SELECT count(*) FROM change_requests WHERE channel_key = ? AND state = 'open'",
  expired: `${SELECT_SUMMARIES} WHERE state = 'open' AND expires_at <= @at
    ORDER BY expires_at LIMIT @limit`,
  close: `UPDATE change_requests SET state = @state, closed_by = @by, closed_at = @at,
    closing_comment = @comment WHERE id = @id AND state = 'open'`,
  remove: `DELETE FROM change_requests WHERE state != 'open' AND closed_at < ?`,
}

type Summary = ChangeRequestRecord<ChangeSummary>

/** Queries of the change requests on one connection, synchronous. */
export class ChangeRequestReader {
  readonly list: (query: ChangeRequestQuery) => Summary[]
  readonly one: (id: string) => ChangeRequestRecord | undefined
  readonly countOpen: (channelKey: number) => number
  readonly expired: (at: string, limit: number) => Summary[]

  constructor(database: Connection) {
    const list = database.prepare<
      [{ appKeys: string; open: 0 | 1; limit: number }],
      ChangeRequestRow
    >(SQL.list)
    const one = database.prepare<[string], ChangeRequestRow>(SQL.one)
    const countOpen = database.prepare<[number], number>(SQL.countOpen).pluck()
    const expired = database.prepare<[{ at: string; limit: number }], ChangeRequestRow>(SQL.expired)
    this.list = ({ appKeys, state, limit }) =>
      list
        .all({ appKeys: JSON.stringify(appKeys), open: state === 'open' ? 1 : 0, limit })
        .map(toChangeRequest<ChangeSummary>)
    this.one = (id) => {
      const row = one.get(id)
      return row && toChangeRequest<RequestedChange>(row)
    }
    this.countOpen = (channelKey) => countOpen.get(channelKey) ?? 0
    this.expired = (at, limit) => expired.all({ at, limit }).map(toChangeRequest<ChangeSummary>)
  }
}

/** The writes of the change requests, synchronous, inside a transaction that the caller has begun. */
export class ChangeRequestWriter {
  readonly insert: (request: ChangeRequestRecord) => void
  /** Returns false, and changes nothing, unless the request is open. */
  readonly close: (id: string, closing: ChangeRequestClosing) => boolean
  readonly remove: (before: string) => number

  constructor(database: Connection) {
    const insert = database.prepare<[ChangeRequestRow]>(INSERT_CHANGE_REQUEST)
    const close = database.prepare<[ChangeRequestClosing & { id: string }]>(SQL.close)
    const remove = database.prepare<[string]>(SQL.remove)
    this.insert = (request) => {
      insert.run(changeRequestParameters(request))
    }
    this.close = (id, closing) => close.run({ id, ...closing }).changes === 1
    this.remove = (before) => remove.run(before).changes
  }
}
