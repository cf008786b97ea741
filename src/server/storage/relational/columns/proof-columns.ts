import type { ProofRecord } from '../../../catalog/records.ts'
import { type Columns, replaceIn, selected } from './columns.ts'

/** A proof as its table holds it: the failure as JSON. */
export type ProofRow = Omit<ProofRecord, 'failure'> & { readonly failure: string | null }

export const PROOF = {
  releaseId: 'release_id',
  position: 'position',
  checkedAt: 'checked_at',
  provenAt: 'proven_at',
  failure: 'failure',
  signature: 'signature',
  failures: 'failures',
  dueAt: 'due_at',
  alarmedAt: 'alarmed_at',
} as const satisfies Columns<ProofRow>

export const SELECT_PROOFS = `SELECT ${selected(PROOF)} FROM proofs`
export const PUT_PROOF = replaceIn('proofs', PROOF, 'release_id, position')

/** Returns the proof that a row holds. */
export function toProof({ failure, ...proof }: ProofRow): ProofRecord {
  return { ...proof, failure: failure === null ? null : JSON.parse(failure) }
}

/** Returns what `PUT_PROOF` takes for a proof. */
export function proofParameters({ failure, ...proof }: ProofRecord): ProofRow {
  return { ...proof, failure: failure === null ? null : JSON.stringify(failure) }
}
