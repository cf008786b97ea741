import type { ClosedState } from '../../../../shared/change-request.ts'
import type { ChangeRequestRecord } from '../../../catalog/records.ts'
import { type Columns, insertInto, selected } from './columns.ts'

/** A change request as its table holds it: the change and the preview as JSON, its end in four columns. */
export interface ChangeRequestRow
  extends Omit<ChangeRequestRecord, 'change' | 'preview' | 'closed'> {
  readonly change: string
  readonly preview: string
  readonly state: ClosedState | 'open'
  readonly closedBy: string | null
  readonly closedAt: string | null
  readonly closingComment: string | null
}

export const CHANGE_REQUEST = {
  id: 'id',
  appKey: 'app_key',
  channelKey: 'channel_key',
  version: 'version',
  change: 'change',
  comment: 'comment',
  preview: 'preview',
  proposer: 'proposer',
  proposedBy: 'proposed_by',
  proposedAt: 'proposed_at',
  expiresAt: 'expires_at',
  state: 'state',
  closedBy: 'closed_by',
  closedAt: 'closed_at',
  closingComment: 'closing_comment',
} as const satisfies Columns<ChangeRequestRow>

export const SELECT_CHANGE_REQUESTS = `SELECT ${selected(CHANGE_REQUEST)} FROM change_requests`
export const INSERT_CHANGE_REQUEST = insertInto('change_requests', CHANGE_REQUEST)

/** Returns the change request that a row holds, with the change as it was selected. */
export function toChangeRequest<Change>(row: ChangeRequestRow): ChangeRequestRecord<Change> {
  const { change, preview, state, closedBy: by, closedAt: at, closingComment, ...plain } = row
  return {
    ...plain,
    change: JSON.parse(change),
    preview: JSON.parse(preview),
    closed:
      state === 'open' || at === null ? null : { state, by, at, comment: closingComment ?? '' },
  }
}

/** Returns what `INSERT_CHANGE_REQUEST` takes for a change request. */
export function changeRequestParameters(request: ChangeRequestRecord): ChangeRequestRow {
  const { change, preview, closed, ...plain } = request
  return {
    ...plain,
    change: JSON.stringify(change),
    preview: JSON.stringify(preview),
    state: closed?.state ?? 'open',
    closedBy: closed?.by ?? null,
    closedAt: closed?.at ?? null,
    closingComment: closed?.comment ?? null,
  }
}
