import type { ChangeSummary } from '../../../shared/change-request.ts'
import type { ChannelPolicy } from '../../../shared/channel.ts'
import type {
  AuditEntry,
  AuditFilter,
  AuditPlace,
  AuditRecord,
  AuditSpan,
} from '../../catalog/audit-log.ts'
import type {
  AppRecord,
  CatalogReads,
  CatalogWrites,
  ChangeRequestClosing,
  ChangeRequestQuery,
  ChangeRequestRecord,
  ChannelRecord,
  KeyRecord,
  NewApp,
  NewChannel,
  NewKey,
  NewRelease,
  ReleasePageQuery,
  ReleaseRecord,
  ServingState,
} from '../../catalog/store.ts'
import type { Connection } from '../sqlite/database.ts'
import { transactionEnded } from '../sqlite/errors.ts'
import type { CatalogReader } from './catalog-reader.ts'
import type { CatalogWriter } from './catalog-writer.ts'

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

/** What the work of one transaction may do, until `end`. */
export class CatalogTransaction extends AsyncCatalogReads implements CatalogWrites {
  readonly #database: Connection
  readonly #reader: CatalogReader
  readonly #writer: CatalogWriter
  readonly #guard: <T>(work: () => T) => T
  #ended = false
  #raised = false

  constructor(parts: {
    database: Connection
    reader: CatalogReader
    writer: CatalogWriter
    guard: <T>(work: () => T) => T
  }) {
    super()
    this.#database = parts.database
    this.#reader = parts.reader
    this.#writer = parts.writer
    this.#guard = parts.guard
  }

  /** Rejects every later read and write. */
  end(): void {
    this.#ended = true
  }

  async insertApp(app: NewApp): Promise<AppRecord> {
    return this.#write((writer) => writer.insertApp(app))
  }

  async setAppName(appKey: number, name: string): Promise<void> {
    this.#write((writer) => writer.setAppName(appKey, name))
  }

  async setArchived(appKey: number, at: string | null): Promise<void> {
    this.#write((writer) => writer.setArchived(appKey, at))
  }

  async insertChannel(channel: NewChannel): Promise<ChannelRecord> {
    return this.#write((writer) => writer.insertChannel(channel))
  }

  async setPolicy(channelKey: number, policy: ChannelPolicy): Promise<void> {
    this.#write((writer) => writer.setPolicy(channelKey, policy))
  }

  async insertRelease(release: NewRelease): Promise<ReleaseRecord> {
    return this.#write((writer) => writer.releases.insert(release))
  }

  async setServing(releaseId: string, state: ServingState): Promise<number> {
    return this.#write((writer) => writer.releases.setServing(releaseId, state))
  }

  async insertKey(key: NewKey): Promise<KeyRecord> {
    return this.#write((writer) => writer.insertKey(key))
  }

  async setRevoked(keyId: number, at: string): Promise<void> {
    this.#write((writer) => writer.setRevoked(keyId, at))
  }

  async insertChangeRequest(request: ChangeRequestRecord): Promise<void> {
    this.#write((writer) => writer.changeRequests.insert(request))
  }

  async closeChangeRequest(id: string, closing: ChangeRequestClosing): Promise<void> {
    this.#write((writer) => writer.closeChangeRequest(id, closing))
  }

  async removeChangeRequests(before: string): Promise<number> {
    return this.#write((writer) => writer.changeRequests.remove(before))
  }

  async requestErasure(appKey: number, deviceId: string): Promise<void> {
    this.#write((writer) => writer.requestErasure(appKey, deviceId))
  }

  async appendAudit(entry: AuditEntry): Promise<void> {
    this.#write((writer) => writer.appendAudit(entry))
  }

  protected override ask<T>(question: (reader: CatalogReader) => T): T {
    this.#refuseAfterEnd()
    return this.#guard(() => question(this.#reader))
  }

  #write<T>(write: (writer: CatalogWriter) => T): T {
    this.#refuseAfterEnd()
    return this.#guard(() => {
      if (!this.#raised) this.#writer.raiseRevision()
      this.#raised = true
      return write(this.#writer)
    })
  }

  /** A full disk ends a transaction of SQLite by itself; the next write would then stand alone. */
  #refuseAfterEnd(): void {
    if (!this.#ended && this.#database.inTransaction) return
    throw transactionEnded(this.#database.name)
  }
}
