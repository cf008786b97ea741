import type { ProofRecord } from '../../../catalog/records.ts'
import {
  PROOF,
  type ProofRow,
  proofParameters,
  SELECT_PROOFS,
  toProof,
} from '../../columns/proof-columns.ts'
import type { Queries } from '../connection/database.ts'
import { replaceIn } from '../connection/statements.ts'

const SQL = {
  of: `${SELECT_PROOFS} WHERE release_id = ANY ($1::text[]) ORDER BY release_id, position`,
  set: replaceIn('proofs', PROOF, 'release_id, position'),
  setDue: `UPDATE proofs SET due_at = $2
    WHERE release_id IN (SELECT id FROM releases WHERE app_key = $1)`,
} as const

export async function proofsOf(
  queries: Queries,
  releaseIds: readonly string[],
): Promise<ProofRecord[]> {
  return (await queries.rows<ProofRow>(SQL.of, [releaseIds])).map(toProof)
}

export async function setProof(tx: Queries, proof: ProofRecord): Promise<void> {
  await tx.run(SQL.set, { ...proofParameters(proof) })
}

/** Every proof of the app is due at that moment. */
export async function setProofsDue(tx: Queries, appKey: number, at: string): Promise<void> {
  await tx.run(SQL.setDue, [appKey, at])
}
