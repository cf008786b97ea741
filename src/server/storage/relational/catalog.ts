import type { ProofRecord } from '../../catalog/records.ts'
import type { CatalogReads, CatalogWrites } from '../../catalog/store.ts'
import { appendAudit, auditReads } from './audit-log.ts'
import { changeRequestReads, changeRequestWrites } from './change-requests.ts'
import { Columns, type RowOf } from './columns/columns.ts'
import { draftReads, draftWrites } from './drafts.ts'
import { planReads, planWrites } from './plans.ts'
import { recordReads, recordWrites } from './records.ts'
import { releaseReads, releaseWrites } from './releases.ts'
import { perDialect, type Questions, type Statements } from './statements.ts'

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
