import type { DraftRecord, ProofRecord } from '../../catalog/records.ts'
import type { CatalogReads, CatalogWrites } from '../../catalog/store.ts'
import { appendAudit, auditReads } from './audit-log.ts'
import { changeRequestReads, changeRequestWrites } from './change-requests.ts'
import { Columns, type RowOf } from './columns/columns.ts'
import { planReads, planWrites } from './plans.ts'
import { recordReads, recordWrites } from './records.ts'
import { releaseReads, releaseWrites } from './releases.ts'
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

const DRAFTS = perDialect(({ oneOf, bytewise }) => {
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
function draftReads(
  questions: Questions,
): Pick<CatalogReads, 'drafts' | 'draft' | 'countDrafts' | 'expiredDrafts'> {
  const sql = DRAFTS(questions)
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
function draftWrites(tx: Statements): Pick<CatalogWrites, 'putDraft' | 'removeDraft'> {
  return {
    async putDraft(draft) {
      await tx.run(PUT, DRAFT.write(draft))
    },
    async removeDraft(channelKey, version) {
      return (await tx.run(DRAFTS(tx).remove, { channelKey, version })) === 1
    },
  }
}

const PROOF = new Columns<ProofRecord>({
  releaseId: 'plain',
  position: 'plain',
  checkedAt: 'plain',
  provenAt: 'plain',
  failure: 'json',
  signature: 'plain',
  failures: 'plain',
  dueAt: 'plain',
  alarmedAt: 'plain',
})

const PUT_PROOF = PROOF.replaceIn('proofs', 'release_id, position')

const SQL = perDialect(({ oneOf }) => ({
  of: `SELECT ${PROOF.selected()} FROM proofs WHERE ${oneOf('release_id', 'releaseIds', 'text')}
    ORDER BY release_id, position`,
  setDue: `UPDATE proofs SET due_at = @at
    WHERE release_id IN (SELECT id FROM releases WHERE app_key = @appKey)`,
}))

/** The questions to the proofs. */
function proofReads(questions: Questions): Pick<CatalogReads, 'proofs'> {
  return {
    async proofs(releaseIds) {
      const rows = await questions.rows<RowOf<ProofRecord>>(SQL(questions).of, { releaseIds })
      return rows.map((row) => PROOF.read(row))
    },
  }
}

/** Their writes. */
function proofWrites(tx: Statements): Pick<CatalogWrites, 'setProof' | 'setProofsDue'> {
  return {
    async setProof(proof) {
      await tx.run(PUT_PROOF, PROOF.write(proof))
    },
    async setProofsDue(appKey, at) {
      await tx.run(SQL(tx).setDue, { appKey, at })
    },
  }
}

/** The questions to the catalog. */
export function catalogReads(questions: Questions): CatalogReads {
  return {
    ...recordReads(questions),
    ...releaseReads(questions),
    ...changeRequestReads(questions),
    ...draftReads(questions),
    ...proofReads(questions),
    ...planReads(questions),
    ...auditReads(questions),
  }
}

/** The catalog of a transaction. */
export function catalogWrites(tx: Statements): CatalogWrites {
  return {
    ...catalogReads(tx),
    ...recordWrites(tx),
    ...releaseWrites(tx),
    ...changeRequestWrites(tx),
    ...draftWrites(tx),
    ...proofWrites(tx),
    ...planWrites(tx),
    appendAudit: (entry) => appendAudit(tx, entry),
  }
}
