import type { CatalogReads, CatalogWrites } from '../../catalog/store.ts'
import {
  type ProofRow,
  PUT_PROOF,
  proofParameters,
  SELECT_PROOFS,
  toProof,
} from './columns/proof-columns.ts'
import { perDialect, type Questions, type Statements } from './statements.ts'

const SQL = perDialect(({ oneOf }) => ({
  of: `${SELECT_PROOFS} WHERE ${oneOf('release_id', 'releaseIds', 'text')}
    ORDER BY release_id, position`,
  setDue: `UPDATE proofs SET due_at = @at
    WHERE release_id IN (SELECT id FROM releases WHERE app_key = @appKey)`,
}))

/** The questions to the proofs. */
export function proofReads(questions: Questions): Pick<CatalogReads, 'proofs'> {
  return {
    async proofs(releaseIds) {
      return (await questions.rows<ProofRow>(SQL(questions).of, { releaseIds })).map(toProof)
    },
  }
}

/** Their writes. */
export function proofWrites(tx: Statements): Pick<CatalogWrites, 'setProof' | 'setProofsDue'> {
  return {
    async setProof(proof) {
      await tx.run(PUT_PROOF, proofParameters(proof))
    },
    async setProofsDue(appKey, at) {
      await tx.run(SQL(tx).setDue, { appKey, at })
    },
  }
}
