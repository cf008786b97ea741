import type { DraftRecord } from '../../../catalog/records.ts'
import type { DraftPage, DraftQuery } from '../../../catalog/store.ts'
import {
  DRAFT,
  type DraftRow,
  draftParameters,
  SELECT_DRAFTS,
  toDraft,
} from '../../columns/draft-columns.ts'
import type { Queries } from '../connection/database.ts'
import { named, replaceIn } from '../connection/statements.ts'

const WANTED = 'WHERE channel_key = ANY (@channelKeys::int[]) AND expires_at > @at'

const SQL = {
  page: named(`${SELECT_DRAFTS} ${WANTED}
    ORDER BY updated_at DESC, revision COLLATE "C" DESC LIMIT @limit OFFSET @offset`),
  countWanted: named(`SELECT count(*) AS drafts FROM drafts ${WANTED}`),
  one: `${SELECT_DRAFTS} WHERE channel_key = $1 AND version = $2`,
  count: 'SELECT count(*) AS drafts FROM drafts WHERE app_key = $1 AND expires_at > $2',
  expired: `${SELECT_DRAFTS} WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2`,
  put: replaceIn('drafts', DRAFT, 'channel_key, version'),
  remove: 'DELETE FROM drafts WHERE channel_key = $1 AND version = $2',
} as const

interface Counted {
  readonly drafts: number
}

/** A page and its total, of one snapshot if `queries` has one. */
export async function draftPage(queries: Queries, query: DraftQuery): Promise<DraftPage> {
  const rows = await queries.rows<DraftRow>(SQL.page, { ...query })
  const counted = await queries.row<Counted>(SQL.countWanted, { ...query })
  return { drafts: rows.map(toDraft), total: counted?.drafts ?? 0 }
}

export async function draftOf(
  queries: Queries,
  channelKey: number,
  version: string,
): Promise<DraftRecord | undefined> {
  const row = await queries.row<DraftRow>(SQL.one, [channelKey, version])
  return row && toDraft(row)
}

export async function countDrafts(queries: Queries, appKey: number, at: string): Promise<number> {
  return (await queries.row<Counted>(SQL.count, [appKey, at]))?.drafts ?? 0
}

export async function expiredDrafts(
  queries: Queries,
  at: string,
  limit: number,
): Promise<DraftRecord[]> {
  return (await queries.rows<DraftRow>(SQL.expired, [at, limit])).map(toDraft)
}

export async function putDraft(tx: Queries, draft: DraftRecord): Promise<void> {
  await tx.run(SQL.put, { ...draftParameters(draft) })
}

/** Returns whether there was one. */
export async function removeDraft(
  tx: Queries,
  channelKey: number,
  version: string,
): Promise<boolean> {
  return (await tx.run(SQL.remove, [channelKey, version])) === 1
}
