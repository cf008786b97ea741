import type { ChannelPolicy } from '../../../../shared/channel.ts'
import type { Freeze } from '../../../../shared/freeze.ts'
import type { ProvingSettings } from '../../../../shared/proving.ts'
import type { AuditEntry } from '../../../catalog/audit-log.ts'
import type { PlanRecord } from '../../../catalog/plan-record.ts'
import type {
  AppRecord,
  ChangeRequestClosing,
  ChangeRequestRecord,
  ChannelRecord,
  DraftRecord,
  KeyRecord,
  ProofRecord,
  ReleaseRecord,
} from '../../../catalog/records.ts'
import type {
  CatalogWrites,
  NewApp,
  NewChannel,
  NewKey,
  NewRelease,
  ServingState,
} from '../../../catalog/store.ts'
import type { Queries, Transaction } from '../connection/database.ts'
import { appendAudit } from './audit-log.ts'
import { PostgresCatalogReads } from './catalog-reads.ts'
import * as requests from './change-requests.ts'
import { putDraft, removeDraft } from './drafts.ts'
import { putPlan, removePlan } from './plans.ts'
import { setProof, setProofsDue } from './proofs.ts'
import * as records from './records.ts'
import { insertRelease, setServing } from './release-writes.ts'
import type { TransactionScope } from './scoped.ts'

/** What the work of one transaction may do with the catalog, until its scope ends. */
export class PostgresCatalogTransaction extends PostgresCatalogReads implements CatalogWrites {
  readonly #scope: TransactionScope

  constructor(scope: TransactionScope) {
    super()
    this.#scope = scope
  }

  insertApp(app: NewApp): Promise<AppRecord> {
    return this.#write((tx) => records.insertApp(tx, app))
  }

  setAppName(appKey: number, name: string): Promise<void> {
    return this.#write((tx) => records.setAppName(tx, appKey, name))
  }

  setProving(appKey: number, settings: ProvingSettings): Promise<void> {
    return this.#write((tx) => records.setProving(tx, appKey, settings))
  }

  setFreezes(appKey: number, freezes: readonly Freeze[]): Promise<void> {
    return this.#write((tx) => records.setFreezes(tx, appKey, freezes))
  }

  putPlan(plan: PlanRecord): Promise<void> {
    return this.#write((tx) => putPlan(tx, plan))
  }

  removePlan(releaseId: string): Promise<boolean> {
    return this.#write((tx) => removePlan(tx, releaseId))
  }

  setProof(proof: ProofRecord): Promise<void> {
    return this.#write((tx) => setProof(tx, proof))
  }

  setProofsDue(appKey: number, at: string): Promise<void> {
    return this.#write((tx) => setProofsDue(tx, appKey, at))
  }

  setArchived(appKey: number, at: string | null): Promise<void> {
    return this.#write((tx) => records.setArchived(tx, appKey, at))
  }

  insertChannel(channel: NewChannel): Promise<ChannelRecord> {
    return this.#write((tx) => records.insertChannel(tx, channel))
  }

  setPolicy(channelKey: number, policy: ChannelPolicy): Promise<void> {
    return this.#write((tx) => records.setPolicy(tx, channelKey, policy))
  }

  insertRelease(release: NewRelease): Promise<ReleaseRecord> {
    return this.#write((tx) => insertRelease(tx, release))
  }

  setServing(releaseId: string, state: ServingState): Promise<number> {
    return this.#write((tx) => setServing(tx, releaseId, state))
  }

  insertKey(key: NewKey): Promise<KeyRecord> {
    return this.#write((tx) => records.insertKey(tx, key))
  }

  setRevoked(keyId: number, at: string): Promise<void> {
    return this.#write((tx) => records.setRevoked(tx, keyId, at))
  }

  insertChangeRequest(request: ChangeRequestRecord): Promise<void> {
    return this.#write((tx) => requests.insertChangeRequest(tx, request))
  }

  closeChangeRequest(id: string, closing: ChangeRequestClosing): Promise<void> {
    return this.#write((tx) => requests.closeChangeRequest(tx, id, closing))
  }

  removeChangeRequests(before: string): Promise<number> {
    return this.#write((tx) => requests.removeChangeRequests(tx, before))
  }

  putDraft(draft: DraftRecord): Promise<void> {
    return this.#write((tx) => putDraft(tx, draft))
  }

  removeDraft(channelKey: number, version: string): Promise<boolean> {
    return this.#write((tx) => removeDraft(tx, channelKey, version))
  }

  requestErasure(appKey: number, deviceId: string): Promise<void> {
    return this.#write((tx) => records.requestErasure(tx, appKey, deviceId))
  }

  appendAudit(entry: AuditEntry): Promise<void> {
    return this.#write((tx) => appendAudit(tx, entry))
  }

  protected override ask<T>(question: (queries: Queries) => Promise<T>): Promise<T> {
    return this.#scope.read(question)
  }

  protected override askAtOnce<T>(question: (queries: Queries) => Promise<T>): Promise<T> {
    return this.#scope.read(question)
  }

  #write<T>(write: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#scope.write('catalog', write)
  }
}
