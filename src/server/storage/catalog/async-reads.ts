import type { ChangeSummary } from '../../../shared/change-request.ts'
import type { PlanStatus } from '../../../shared/plan.ts'
import type { AuditFilter, AuditPlace, AuditRecord, AuditSpan } from '../../catalog/audit-log.ts'
import type { PlanOfRelease, PlanRecord } from '../../catalog/plan-record.ts'
import type {
  AppRecord,
  ChangeRequestRecord,
  ChannelRecord,
  DraftRecord,
  KeyRecord,
  ProofRecord,
  ReleaseRecord,
} from '../../catalog/records.ts'
import type {
  CatalogReads,
  ChangeRequestQuery,
  DraftPage,
  DraftQuery,
  ReleasePageQuery,
} from '../../catalog/store.ts'
import type { CatalogReader } from './catalog-reader.ts'

/** The asynchronous interface of a reader. `ask` runs a query on a connection, and throws when there is none. */
export abstract class AsyncCatalogReads implements CatalogReads {
  protected abstract ask<T>(question: (reader: CatalogReader) => T): T

  async revision(): Promise<number> {
    return this.ask((reader) => reader.revision())
  }

  async apps(): Promise<AppRecord[]> {
    return this.ask((reader) => reader.apps())
  }

  async channels(): Promise<ChannelRecord[]> {
    return this.ask((reader) => reader.channels())
  }

  async release(channelKey: number, version: string): Promise<ReleaseRecord | undefined> {
    return this.ask((reader) => reader.release(channelKey, version))
  }

  async releasePage(
    query: ReleasePageQuery,
  ): Promise<{ releases: ReleaseRecord[]; total: number }> {
    return this.ask((reader) => reader.releasePage(query))
  }

  async keys(): Promise<KeyRecord[]> {
    return this.ask((reader) => reader.keys())
  }

  async changeRequests(query: ChangeRequestQuery): Promise<ChangeRequestRecord<ChangeSummary>[]> {
    return this.ask((reader) => reader.changeRequests.list(query))
  }

  async changeRequest(id: string): Promise<ChangeRequestRecord | undefined> {
    return this.ask((reader) => reader.changeRequests.one(id))
  }

  async countOpenChangeRequests(channelKey: number): Promise<number> {
    return this.ask((reader) => reader.changeRequests.countOpen(channelKey))
  }

  async expiredChangeRequests(
    at: string,
    limit: number,
  ): Promise<ChangeRequestRecord<ChangeSummary>[]> {
    return this.ask((reader) => reader.changeRequests.expired(at, limit))
  }

  async drafts(query: DraftQuery): Promise<DraftPage> {
    return this.ask((reader) => reader.drafts.page(query))
  }

  async draft(channelKey: number, version: string): Promise<DraftRecord | undefined> {
    return this.ask((reader) => reader.drafts.one(channelKey, version))
  }

  async countDrafts(appKey: number, at: string): Promise<number> {
    return this.ask((reader) => reader.drafts.count(appKey, at))
  }

  async expiredDrafts(at: string, limit: number): Promise<DraftRecord[]> {
    return this.ask((reader) => reader.drafts.expired(at, limit))
  }

  async proofs(releaseIds: readonly string[]): Promise<ProofRecord[]> {
    return this.ask((reader) => reader.proofs.of(releaseIds))
  }

  async plan(releaseId: string): Promise<PlanRecord | undefined> {
    return this.ask((reader) => reader.plans.one(releaseId))
  }

  async plans(statuses: readonly PlanStatus[]): Promise<PlanOfRelease[]> {
    return this.ask((reader) => reader.plans.byStatus(statuses))
  }

  async audit(query: { limit: number; before?: number }): Promise<AuditRecord[]> {
    return this.ask((reader) => reader.auditLog.latest(query))
  }

  async auditOf(place: AuditPlace, limit: number): Promise<AuditRecord[]> {
    return this.ask((reader) => reader.auditLog.ofPlace(place, limit))
  }

  async lastAuditId(): Promise<number> {
    return this.ask((reader) => reader.auditLog.last())
  }

  async countAudit(filter: AuditFilter, span: AuditSpan): Promise<number> {
    return this.ask((reader) => reader.auditLog.count(filter, span))
  }

  async auditIn(filter: AuditFilter, span: AuditSpan, limit: number): Promise<AuditRecord[]> {
    return this.ask((reader) => reader.auditLog.entries(filter, span, limit))
  }
}
