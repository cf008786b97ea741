import type { CatalogReads, CatalogWrites } from '../../catalog/store.ts'
import { appendAudit, auditReads } from './audit-log.ts'
import { changeRequestReads, changeRequestWrites } from './change-requests.ts'
import { draftReads, draftWrites } from './drafts.ts'
import { planReads, planWrites } from './plans.ts'
import { proofReads, proofWrites } from './proofs.ts'
import { recordReads, recordWrites } from './records.ts'
import { releaseReads, releaseWrites } from './releases.ts'
import type { Questions, Statements } from './statements.ts'

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
