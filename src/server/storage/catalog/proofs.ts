import type { ProofRecord } from '../../catalog/records.ts'
import {
  INSERT_PROOF,
  type ProofRow,
  proofParameters,
  SELECT_PROOFS,
  toProof,
} from '../columns/proof-columns.ts'
import type { Connection } from '../sqlite/database.ts'

const SQL = {
  of: `${SELECT_PROOFS} WHERE release_id IN (SELECT value FROM json_each(?)) ORDER BY release_id, position`,
  set: INSERT_PROOF.replace('INSERT', 'INSERT OR REPLACE'),
  setDue: `UPDATE proofs SET due_at = @at
    WHERE release_id IN (SELECT id FROM releases WHERE app_key = @appKey)`,
}

/** Queries of the proofs on one connection, synchronous. */
export class ProofReader {
  readonly of: (releaseIds: readonly string[]) => ProofRecord[]

  constructor(database: Connection) {
    const of = database.prepare<[string], ProofRow>(SQL.of)
    this.of = (releaseIds) => of.all(JSON.stringify(releaseIds)).map(toProof)
  }
}

/** The writes of the proofs, synchronous, inside a transaction that the caller has begun. */
export class ProofWriter {
  readonly set: (proof: ProofRecord) => void
  readonly setDue: (appKey: number, at: string) => void

  constructor(database: Connection) {
    const set = database.prepare<[ProofRow]>(SQL.set)
    const setDue = database.prepare<[{ appKey: number; at: string }]>(SQL.setDue)
    this.set = (proof) => {
      set.run(proofParameters(proof))
    }
    this.setDue = (appKey, at) => {
      setDue.run({ appKey, at })
    }
  }
}
