import type { ProvingSettings } from '../../shared/files/proving.ts'
import type { Freeze } from '../../shared/plans/freeze.ts'
import type { CheckReading } from '../../shared/plans/gate-check.ts'
import type { PlanStatus } from '../../shared/plans/plan-state.ts'
import type { ChangeSummary } from '../../shared/releases/change-request.ts'
import type { ChannelPolicy } from '../../shared/releases/channel.ts'
import type { LeadershipName } from '../runtime/cluster/leadership.ts'
import type { AuditEntry, AuditFilter, AuditPlace, AuditRecord, AuditSpan } from './audit-log.ts'
import type { PlanOfRelease, PlanRecord } from './plans/plan-record.ts'
import type { ChangeRequestQuery, DraftPage, DraftQuery, ReleasePageQuery } from './queries.ts'
import type {
  AppRecord,
  ChangeRequestClosing,
  ChangeRequestRecord,
  ChannelRecord,
  DraftRecord,
  KeyRecord,
  ProofRecord,
  ReleaseRecord,
} from './records.ts'
import type { SessionStore } from './sessions/session-ledger.ts'

export type PlanRevision = Pick<PlanRecord, 'releaseId' | 'revision'>

export interface KeyUse {
  readonly keyId: number
  /** ISO 8601, UTC. */
  readonly at: string
}

/** An app to remove with all that it has, or one of its channels. */
export interface CatalogRemoval {
  readonly appKey: number
  /** What goes: all channels of the app, as the caller knows them, or one of them. */
  readonly channelKeys: readonly number[]
  readonly wholeApp: boolean
  readonly entry: AuditEntry
}

/**
 * What became of a removal. Only `removed` has changed anything:
 * - `unknown`: it does not exist any more
 * - `served`: the app is not archived, and a published release with artifacts would go
 * - `last_channel`: the app would have none left
 * - `outdated`: the app has other channels than the caller knows
 */
export type RemovalOutcome = 'removed' | 'unknown' | 'served' | 'last_channel' | 'outdated'

/** A consistent view of the catalog at a revision. */
export interface CatalogChanges {
  readonly revision: number
  /** All apps, oldest first. */
  readonly apps: readonly AppRecord[]
  /** All channels, oldest first. */
  readonly channels: readonly ChannelRecord[]
  readonly keys: readonly KeyRecord[]
  /** At least every release that changed, in no particular order. */
  readonly releases: readonly ReleaseRecord[]
}

/** Questions to the stored catalog. Every answer is what is committed, or what this transaction wrote. */
export interface CatalogReads {
  /** Grows with every committed change of the catalog. */
  revision(): Promise<number>
  apps(): Promise<AppRecord[]>
  channels(): Promise<ChannelRecord[]>
  release(channelKey: number, version: string): Promise<ReleaseRecord | undefined>
  releasePage(query: ReleasePageQuery): Promise<{ releases: ReleaseRecord[]; total: number }>
  keys(): Promise<KeyRecord[]>
  changeRequests(query: ChangeRequestQuery): Promise<ChangeRequestRecord<ChangeSummary>[]>
  changeRequest(id: string): Promise<ChangeRequestRecord | undefined>
  countOpenChangeRequests(channelKey: number): Promise<number>
  /** Open ones whose time is up at that moment, the oldest `limit`. */
  expiredChangeRequests(at: string, limit: number): Promise<ChangeRequestRecord<ChangeSummary>[]>
  drafts(query: DraftQuery): Promise<DraftPage>
  /** Also one whose time is up. */
  draft(channelKey: number, version: string): Promise<DraftRecord | undefined>
  /** Those of an app whose time is not up at that moment, and how many of them `owner` has made. */
  countDrafts(
    appKey: number,
    at: string,
    owner: string,
  ): Promise<{ readonly all: number; readonly own: number }>
  /** Those whose time is up at that moment, the oldest `limit`. */
  expiredDrafts(at: string, limit: number): Promise<DraftRecord[]>
  /** The last proofs of the artifacts of those releases, by release and position. */
  proofs(releaseIds: readonly string[]): Promise<ProofRecord[]>
  plan(releaseId: string): Promise<PlanRecord | undefined>
  /** Those with one of these statuses, the oldest release first. */
  plans(statuses: readonly PlanStatus[]): Promise<PlanOfRelease[]>
  /** The newest entries first, `limit` of them, with ids below `before` if it is given. */
  audit(query: { limit: number; before?: number }): Promise<AuditRecord[]>
  /** The newest `limit` changes of a release or channel by its then names, without its requests, drafts and proof findings. */
  auditOf(place: AuditPlace, limit: number): Promise<AuditRecord[]>
  /** The id of the newest entry; 0 without any. Ids grow, and an entry never changes or goes. */
  lastAuditId(): Promise<number>
  /** How many entries of the span match. Costs as much as the span is long. */
  countAudit(filter: AuditFilter, span: AuditSpan): Promise<number>
  /** The newest `limit` entries of the span that match, newest first. Costs the same at most. */
  auditIn(filter: AuditFilter, span: AuditSpan, limit: number): Promise<AuditRecord[]>
}

export type NewApp = Omit<AppRecord, 'key' | 'archivedAt' | 'proving' | 'freezes'>
export type NewChannel = Omit<ChannelRecord, 'key' | 'revision'>
export type NewRelease = Omit<ReleaseRecord, 'offered' | 'openPct' | 'revision'>
export type NewKey = Omit<KeyRecord, 'id' | 'lastUsedAt' | 'revokedAt'>
export type ServingState = Pick<ReleaseRecord, 'targets' | 'rolloutPct' | 'status' | 'awaitsProof'>

/** Writes inside a transaction. Each raises the revisions that it touches. A duplicate rejects with `DuplicateError`. */
export interface CatalogWrites extends CatalogReads {
  insertApp(app: NewApp): Promise<AppRecord>
  setAppName(appKey: number, name: string): Promise<void>
  setProving(appKey: number, settings: ProvingSettings): Promise<void>
  setFreezes(appKey: number, freezes: readonly Freeze[]): Promise<void>
  /** Stores a plan in place of the one of its release, if there is one. */
  putPlan(plan: PlanRecord): Promise<void>
  /** Returns whether there was one. */
  removePlan(releaseId: string): Promise<boolean>
  /** Replaces the proof of an artifact. */
  setProof(proof: ProofRecord): Promise<void>
  /** Every proof of the app is due at that moment. */
  setProofsDue(appKey: number, at: string): Promise<void>
  /** `null`: not archived. */
  setArchived(appKey: number, at: string | null): Promise<void>
  insertChannel(channel: NewChannel): Promise<ChannelRecord>
  setPolicy(channelKey: number, policy: ChannelPolicy): Promise<void>
  insertRelease(release: NewRelease): Promise<ReleaseRecord>
  /** Returns the new revision of the release. */
  setServing(releaseId: string, state: ServingState): Promise<number>
  insertKey(key: NewKey): Promise<KeyRecord>
  setRevoked(keyId: number, at: string): Promise<void>
  insertChangeRequest(request: ChangeRequestRecord): Promise<void>
  closeChangeRequest(id: string, closing: ChangeRequestClosing): Promise<void>
  /** Removes change requests that were closed before that moment. Returns how many. */
  removeChangeRequests(before: string): Promise<number>
  /** Stores a draft in place of the one of its channel and version, if there is one. */
  putDraft(draft: DraftRecord): Promise<void>
  /** Returns whether there was one. */
  removeDraft(channelKey: number, version: string): Promise<boolean>
  /** Requests that a device be forgotten. Idempotent. */
  requestErasure(appKey: number, deviceId: string): Promise<void>
  appendAudit(entry: AuditEntry): Promise<void>
}

export interface TransactOptions {
  /** Milliseconds that the transaction waits for earlier ones; 5 s by default. */
  readonly within?: number | undefined
  /** For work of the server that leads this: rejects with `NotLeadingError` if by then another one does. */
  readonly leading?: LeadershipName | undefined
}

/** Hears of changes, see `CatalogStore.watch`. */
export interface CatalogListener {
  /** Something may have been committed. Called again soon when it rejects. */
  onChange(): Promise<void>
  /** Looking for changes, or `onChange`, failed. Called again only after a success in between. */
  onFailure(error: unknown): void
}

/** Where the catalog is kept. `transact` runs `work` alone, among all processes; when it rejects, nothing is written. */
export interface CatalogStore extends CatalogReads, SessionStore {
  transact<T>(work: (tx: CatalogWrites) => Promise<T>, options?: TransactOptions): Promise<T>
  /** What was committed after `revision`, by whichever process; 0: everything. `null` for nothing, which takes microseconds. */
  changesSince(revision: number): Promise<CatalogChanges | null>
  /** Calls the listener soon, and within a second of every commit of any process, until the returned function is called. */
  watch(listener: CatalogListener): () => void
  /**
   * Stores that a release was offered, in one conditional write: only if it was not yet, and its
   * revision is still `seenRevision`, so that an offer cannot race a change of what was decided on.
   * Resolves to whether it did.
   */
  offerFirst(releaseId: string, seenRevision: number, options?: TransactOptions): Promise<boolean>
  /** Notes when keys were used. Not a change of the catalog: raises no revision. */
  recordKeyUse(uses: readonly KeyUse[]): Promise<void>
  /** Notes what the checks of a plan's gate found, unless the plan has changed since that state of it. Raises no revision. */
  recordReadings(
    plan: PlanRevision,
    readings: readonly CheckReading[],
    options?: TransactOptions,
  ): Promise<void>
}

/** A write met something that already exists. */
export class DuplicateError extends Error {
  override readonly name = 'DuplicateError'
}
