import type { ChangeSummary } from '../../../../shared/change-request.ts'
import type { PlanStatus } from '../../../../shared/plan.ts'
import type { AuditFilter, AuditPlace, AuditRecord, AuditSpan } from '../../../catalog/audit-log.ts'
import type { PlanOfRelease, PlanRecord } from '../../../catalog/plan-record.ts'
import type {
  AppRecord,
  ChangeRequestRecord,
  ChannelRecord,
  DraftRecord,
  KeyRecord,
  ProofRecord,
  ReleaseRecord,
} from '../../../catalog/records.ts'
import type {
  CatalogReads,
  ChangeRequestQuery,
  DraftPage,
  DraftQuery,
  ReleasePageQuery,
} from '../../../catalog/store.ts'
import type { Queries } from '../connection/database.ts'
import { auditIn, auditOfPlace, countAudit, lastAuditId, latestAudit } from './audit-log.ts'
import {
  changeRequest,
  countOpenChangeRequests,
  expiredChangeRequests,
  listChangeRequests,
} from './change-requests.ts'
import { countDrafts, draftOf, draftPage, expiredDrafts } from './drafts.ts'
import { planOf, plansByStatus } from './plans.ts'
import { proofsOf } from './proofs.ts'
import { allApps, allChannels, allKeys, catalogRevision } from './records.ts'
import { releaseOf, releasePage } from './releases.ts'

type Question<T> = (queries: Queries) => Promise<T>

/** The questions to the catalog, of a transaction or of what is committed. */
export abstract class PostgresCatalogReads implements CatalogReads {
  protected abstract ask<T>(question: Question<T>): Promise<T>

  /** The same for a question of several statements, which all see the same. */
  protected abstract askAtOnce<T>(question: Question<T>): Promise<T>

  revision(): Promise<number> {
    return this.ask(catalogRevision)
  }

  apps(): Promise<AppRecord[]> {
    return this.ask(allApps)
  }

  channels(): Promise<ChannelRecord[]> {
    return this.ask(allChannels)
  }

  release(channelKey: number, version: string): Promise<ReleaseRecord | undefined> {
    return this.ask((queries) => releaseOf(queries, channelKey, version))
  }

  releasePage(query: ReleasePageQuery): Promise<{ releases: ReleaseRecord[]; total: number }> {
    return this.askAtOnce((queries) => releasePage(queries, query))
  }

  keys(): Promise<KeyRecord[]> {
    return this.ask(allKeys)
  }

  changeRequests(query: ChangeRequestQuery): Promise<ChangeRequestRecord<ChangeSummary>[]> {
    return this.ask((queries) => listChangeRequests(queries, query))
  }

  changeRequest(id: string): Promise<ChangeRequestRecord | undefined> {
    return this.ask((queries) => changeRequest(queries, id))
  }

  countOpenChangeRequests(channelKey: number): Promise<number> {
    return this.ask((queries) => countOpenChangeRequests(queries, channelKey))
  }

  expiredChangeRequests(at: string, limit: number): Promise<ChangeRequestRecord<ChangeSummary>[]> {
    return this.ask((queries) => expiredChangeRequests(queries, at, limit))
  }

  drafts(query: DraftQuery): Promise<DraftPage> {
    return this.askAtOnce((queries) => draftPage(queries, query))
  }

  draft(channelKey: number, version: string): Promise<DraftRecord | undefined> {
    return this.ask((queries) => draftOf(queries, channelKey, version))
  }

  countDrafts(appKey: number, at: string): Promise<number> {
    return this.ask((queries) => countDrafts(queries, appKey, at))
  }

  expiredDrafts(at: string, limit: number): Promise<DraftRecord[]> {
    return this.ask((queries) => expiredDrafts(queries, at, limit))
  }

  proofs(releaseIds: readonly string[]): Promise<ProofRecord[]> {
    return this.ask((queries) => proofsOf(queries, releaseIds))
  }

  plan(releaseId: string): Promise<PlanRecord | undefined> {
    return this.ask((queries) => planOf(queries, releaseId))
  }

  plans(statuses: readonly PlanStatus[]): Promise<PlanOfRelease[]> {
    return this.ask((queries) => plansByStatus(queries, statuses))
  }

  audit(query: { limit: number; before?: number }): Promise<AuditRecord[]> {
    return this.ask((queries) => latestAudit(queries, query))
  }

  auditOf(place: AuditPlace, limit: number): Promise<AuditRecord[]> {
    return this.ask((queries) => auditOfPlace(queries, place, limit))
  }

  lastAuditId(): Promise<number> {
    return this.ask(lastAuditId)
  }

  countAudit(filter: AuditFilter, span: AuditSpan): Promise<number> {
    return this.ask((queries) => countAudit(queries, filter, span))
  }

  auditIn(filter: AuditFilter, span: AuditSpan, limit: number): Promise<AuditRecord[]> {
    return this.ask((queries) => auditIn(queries, filter, span, limit))
  }
}
