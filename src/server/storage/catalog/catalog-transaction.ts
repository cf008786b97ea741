import type { ChannelPolicy } from '../../../shared/channel.ts'
import type { Freeze } from '../../../shared/freeze.ts'
import type { ProvingSettings } from '../../../shared/proving.ts'
import type { AuditEntry } from '../../catalog/audit-log.ts'
import type { PlanRecord } from '../../catalog/plan-record.ts'
import type {
  AppRecord,
  ChangeRequestClosing,
  ChangeRequestRecord,
  ChannelRecord,
  DraftRecord,
  KeyRecord,
  ProofRecord,
  ReleaseRecord,
} from '../../catalog/records.ts'
import type {
  CatalogWrites,
  NewApp,
  NewChannel,
  NewKey,
  NewRelease,
  ServingState,
} from '../../catalog/store.ts'
import type { TransactionScope } from '../writer/transaction-scope.ts'
import { AsyncCatalogReads } from './async-reads.ts'
import type { CatalogReader } from './catalog-reader.ts'
import type { CatalogWriter } from './catalog-writer.ts'

/** What the work of one transaction may do with the catalog, until its scope ends. */
export class CatalogTransaction extends AsyncCatalogReads implements CatalogWrites {
  readonly #scope: TransactionScope<CatalogReader, CatalogWriter>

  constructor(scope: TransactionScope<CatalogReader, CatalogWriter>) {
    super()
    this.#scope = scope
  }

  async insertApp(app: NewApp): Promise<AppRecord> {
    return this.#scope.write((writer) => writer.insertApp(app))
  }

  async setAppName(appKey: number, name: string): Promise<void> {
    this.#scope.write((writer) => writer.setAppName(appKey, name))
  }

  async setProving(appKey: number, settings: ProvingSettings): Promise<void> {
    this.#scope.write((writer) => writer.setProving(appKey, settings))
  }

  async setFreezes(appKey: number, freezes: readonly Freeze[]): Promise<void> {
    this.#scope.write((writer) => writer.setFreezes(appKey, freezes))
  }

  async putPlan(plan: PlanRecord): Promise<void> {
    this.#scope.write((writer) => writer.plans.put(plan))
  }

  async removePlan(releaseId: string): Promise<boolean> {
    return this.#scope.write((writer) => writer.plans.remove(releaseId))
  }

  async setProof(proof: ProofRecord): Promise<void> {
    this.#scope.write((writer) => writer.proofs.set(proof))
  }

  async setProofsDue(appKey: number, at: string): Promise<void> {
    this.#scope.write((writer) => writer.proofs.setDue(appKey, at))
  }

  async setArchived(appKey: number, at: string | null): Promise<void> {
    this.#scope.write((writer) => writer.setArchived(appKey, at))
  }

  async insertChannel(channel: NewChannel): Promise<ChannelRecord> {
    return this.#scope.write((writer) => writer.insertChannel(channel))
  }

  async setPolicy(channelKey: number, policy: ChannelPolicy): Promise<void> {
    this.#scope.write((writer) => writer.setPolicy(channelKey, policy))
  }

  async insertRelease(release: NewRelease): Promise<ReleaseRecord> {
    return this.#scope.write((writer) => writer.releases.insert(release))
  }

  async setServing(releaseId: string, state: ServingState): Promise<number> {
    return this.#scope.write((writer) => writer.releases.setServing(releaseId, state))
  }

  async insertKey(key: NewKey): Promise<KeyRecord> {
    return this.#scope.write((writer) => writer.insertKey(key))
  }

  async setRevoked(keyId: number, at: string): Promise<void> {
    this.#scope.write((writer) => writer.setRevoked(keyId, at))
  }

  async insertChangeRequest(request: ChangeRequestRecord): Promise<void> {
    this.#scope.write((writer) => writer.changeRequests.insert(request))
  }

  async closeChangeRequest(id: string, closing: ChangeRequestClosing): Promise<void> {
    this.#scope.write((writer) => writer.closeChangeRequest(id, closing))
  }

  async removeChangeRequests(before: string): Promise<number> {
    return this.#scope.write((writer) => writer.changeRequests.remove(before))
  }

  async putDraft(draft: DraftRecord): Promise<void> {
    this.#scope.write((writer) => writer.drafts.put(draft))
  }

  async removeDraft(channelKey: number, version: string): Promise<boolean> {
    return this.#scope.write((writer) => writer.drafts.remove(channelKey, version))
  }

  async requestErasure(appKey: number, deviceId: string): Promise<void> {
    this.#scope.write((writer) => writer.requestErasure(appKey, deviceId))
  }

  async appendAudit(entry: AuditEntry): Promise<void> {
    this.#scope.write((writer) => writer.appendAudit(entry))
  }

  protected override ask<T>(question: (reader: CatalogReader) => T): T {
    return this.#scope.read(question)
  }
}
