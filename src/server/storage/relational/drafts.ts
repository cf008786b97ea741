import type { DraftRecord } from '../../catalog/records.ts'
import type { CatalogReads, CatalogWrites } from '../../catalog/store.ts'
import { Columns, type RowOf } from './columns/columns.ts'
import { perDialect, type Questions, type Statements } from './statements.ts'

const DRAFT = new Columns<DraftRecord>({
  appKey: 'plain',
  channelKey: 'plain',
  version: 'plain',
  notes: 'plain',
  artifacts: 'json',
  documents: 'list',
  createdAt: 'plain',
  updatedAt: 'plain',
  expiresAt: 'plain',
  revision: 'plain',
  owner: 'plain',
})

type DraftRow = RowOf<DraftRecord>

const PUT = DRAFT.replaceIn('drafts', 'channel_key, version')
const SELECT = `SELECT ${DRAFT.selected()} FROM drafts`

const SQL = perDialect(({ oneOf, bytewise }) => {
  const wanted = `WHERE ${oneOf('channel_key', 'channelKeys', 'int')} AND expires_at > @at`
  return {
    page: `${SELECT} ${wanted}
      ORDER BY updated_at DESC, ${bytewise('revision')} DESC LIMIT @limit OFFSET @offset`,
    countWanted: `SELECT count(*) AS drafts FROM drafts ${wanted}`,
    one: `${SELECT} WHERE channel_key = @channelKey AND version = @version`,
    count: `SELECT count(*) AS drafts, coalesce(sum(CASE WHEN owner = @owner THEN 1 ELSE 0 END), 0) AS own
      FROM drafts WHERE app_key = @appKey AND expires_at > @at`,
    expired: `${SELECT} WHERE expires_at <= @at ORDER BY expires_at LIMIT @limit`,
    remove: 'DELETE FROM drafts WHERE channel_key = @channelKey AND version = @version',
  }
})

interface Counted {
  readonly drafts: number
}

/** The questions to the drafts. */
export function draftReads(
  questions: Questions,
): Pick<CatalogReads, 'drafts' | 'draft' | 'countDrafts' | 'expiredDrafts'> {
  const sql = SQL(questions)
  return {
    drafts: (query) =>
      questions.atOnce(async (now) => {
        const rows = await now.rows<DraftRow>(sql.page, query)
        const counted = await now.row<Counted>(sql.countWanted, query)
        return { drafts: rows.map((row) => DRAFT.read(row)), total: counted?.drafts ?? 0 }
      }),
    async draft(channelKey, version) {
      const row = await questions.row<DraftRow>(sql.one, { channelKey, version })
      return row && DRAFT.read(row)
    },
    async countDrafts(appKey, at, owner) {
      const counted = await questions.row<Counted & { own: number }>(sql.count, {
        appKey,
        at,
        owner,
      })
      return { all: counted?.drafts ?? 0, own: counted?.own ?? 0 }
    },
    async expiredDrafts(at, limit) {
      const rows = await questions.rows<DraftRow>(sql.expired, { at, limit })
      return rows.map((row) => DRAFT.read(row))
    },
  }
}

/** Their writes. */
export function draftWrites(tx: Statements): Pick<CatalogWrites, 'putDraft' | 'removeDraft'> {
  return {
    async putDraft(draft) {
      await tx.run(PUT, DRAFT.write(draft))
    },
    async removeDraft(channelKey, version) {
      return (await tx.run(SQL(tx).remove, { channelKey, version })) === 1
    },
  }
}
