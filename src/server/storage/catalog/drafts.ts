import type { DraftRecord } from '../../catalog/records.ts'
import type { DraftPage, DraftQuery } from '../../catalog/store.ts'
import {
  type DraftRow,
  draftParameters,
  INSERT_DRAFT,
  SELECT_DRAFTS,
  toDraft,
} from '../columns/draft-columns.ts'
import type { Connection } from '../sqlite/database.ts'

const WANTED = `WHERE channel_key IN (SELECT value FROM json_each(@channelKeys)) AND expires_at > @at`

const SQL = {
  page: `${SELECT_DRAFTS} ${WANTED} ORDER BY updated_at DESC, revision DESC LIMIT @limit OFFSET @offset`,
  countWanted: `SELECT count(*) FROM drafts ${WANTED}`,
  one: `${SELECT_DRAFTS} WHERE channel_key = ? AND version = ?`,
  count: 'SELECT count(*) FROM drafts WHERE app_key = @appKey AND expires_at > @at',
  expired: `${SELECT_DRAFTS} WHERE expires_at <= @at ORDER BY expires_at LIMIT @limit`,
  put: INSERT_DRAFT.replace('INSERT', 'INSERT OR REPLACE'),
  remove: 'DELETE FROM drafts WHERE channel_key = ? AND version = ?',
} as const

type PageParameters = Omit<DraftQuery, 'channelKeys'> & { readonly channelKeys: string }

/** Queries of the drafts on one connection, synchronous. */
export class DraftReader {
  readonly page: (query: DraftQuery) => DraftPage
  readonly one: (channelKey: number, version: string) => DraftRecord | undefined
  readonly count: (appKey: number, at: string) => number
  readonly expired: (at: string, limit: number) => DraftRecord[]

  constructor(database: Connection) {
    const page = database.prepare<[PageParameters], DraftRow>(SQL.page)
    const countWanted = database.prepare<[PageParameters], number>(SQL.countWanted).pluck()
    const one = database.prepare<[number, string], DraftRow>(SQL.one)
    const count = database.prepare<[{ appKey: number; at: string }], number>(SQL.count).pluck()
    const expired = database.prepare<[{ at: string; limit: number }], DraftRow>(SQL.expired)
    // One transaction, so that the total is that of the page.
    this.page = database.transaction((query: DraftQuery) => {
      const parameters = { ...query, channelKeys: JSON.stringify(query.channelKeys) }
      return {
        drafts: page.all(parameters).map(toDraft),
        total: countWanted.get(parameters) ?? 0,
      }
    })
    this.one = (channelKey, version) => {
      const row = one.get(channelKey, version)
      return row && toDraft(row)
    }
    this.count = (appKey, at) => count.get({ appKey, at }) ?? 0
    this.expired = (at, limit) => expired.all({ at, limit }).map(toDraft)
  }
}

/** The writes of the drafts, synchronous, inside a transaction that the caller has begun. */
export class DraftWriter {
  readonly put: (draft: DraftRecord) => void
  /** Returns whether there was one. */
  readonly remove: (channelKey: number, version: string) => boolean

  constructor(database: Connection) {
    const put = database.prepare<[DraftRow]>(SQL.put)
    const remove = database.prepare<[number, string]>(SQL.remove)
    this.put = (draft) => {
      put.run(draftParameters(draft))
    }
    this.remove = (channelKey, version) => remove.run(channelKey, version).changes === 1
  }
}
