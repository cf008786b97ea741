import type { CatalogReads, CatalogWrites } from '../../catalog/store.ts'
import { appendAudit, auditReads } from './audit-log.ts'
import { changeRequestReads, changeRequestWrites } from './change-requests.ts'
import {
  type ProofRow,
  PUT_PROOF,
  proofParameters,
  SELECT_PROOFS,
  toProof,
} from './columns/proof-columns.ts'
import { draftReads, draftWrites } from './drafts.ts'
import { planReads, planWrites } from './plans.ts'
import { recordReads, recordWrites } from './records.ts'
import { releaseReads, releaseWrites } from './releases.ts'
import { perDialect, type Questions, type Statements } from './statements.ts'

const SQL = perDialect(({ oneOf }) => ({
  of: `${SELECT_PROOFS} WHERE ${oneOf('release_id', 'releaseIds', 'text')}
    ORDER BY release_id, position`,
  setDue: `UPDATE proofs SET due_at = @at
    WHERE release_id IN (SELECT id FROM releases WHERE app_key = @appKey)`,
}))

/** The questions to the proofs. */
function proofReads(questions: Questions): Pick<CatalogReads, 'proofs'> {
  return {
    async proofs(releaseIds) {
      return (await questions.rows<ProofRow>(SQL(questions).of, { releaseIds })).map(toProof)
    },
  }
}

/** Their writes. */
function proofWrites(tx: Statements): Pick<CatalogWrites, 'setProof' | 'setProofsDue'> {
  return {
    async setProof(proof) {
      await tx.run(PUT_PROOF, proofParameters(proof))
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
