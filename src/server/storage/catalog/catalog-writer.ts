import type { ChannelPolicy } from '../../../shared/channel.ts'
import type { Freeze } from '../../../shared/freeze.ts'
import type { ProvingSettings } from '../../../shared/proving.ts'
import type { AuditEntry } from '../../catalog/audit-log.ts'
import type {
  AppRecord,
  ChangeRequestClosing,
  ChannelRecord,
  KeyRecord,
} from '../../catalog/records.ts'
import {
  DuplicateError,
  type KeyUse,
  type NewApp,
  type NewChannel,
  type NewKey,
} from '../../catalog/store.ts'
import {
  type AppRow,
  type ChannelParameters,
  type ChannelRow,
  channelParameters,
  freezeColumn,
  INSERT_APP,
  INSERT_CHANNEL,
  INSERT_KEY,
  type KeyParameters,
  type KeyRow,
  keyParameters,
  type PolicyColumns,
  type ProvingColumns,
  policyColumns,
  provingColumns,
  SET_FREEZES,
  SET_POLICY,
  SET_PROVING,
  toApp,
  toChannel,
  toKey,
} from '../columns/catalog-columns.ts'
import { StorageError } from '../interface/storage-error.ts'
import type { Connection } from '../sqlite/database.ts'
import { isUniqueBreach } from '../sqlite/errors.ts'
import { createAuditWriter } from './audit-log.ts'
import type { CatalogReader } from './catalog-reader.ts'
import { ChangeRequestWriter } from './change-requests.ts'
import { DraftWriter } from './drafts.ts'
import { PlanWriter } from './plans.ts'
import { ProofWriter } from './proofs.ts'
import { ReleaseWriter } from './release-writer.ts'

const SQL = {
  raiseRevision: 'UPDATE catalog_state SET revision = revision + 1',
  setAppName: 'UPDATE apps SET name = @name WHERE key = @appKey',
  setArchived: 'UPDATE apps SET archived_at = @at WHERE key = @appKey',
  setRevoked: 'UPDATE api_keys SET revoked_at = @at WHERE id = @keyId',
  setUsed: `UPDATE api_keys SET last_used_at = @at
    WHERE id = @keyId AND (last_used_at IS NULL OR last_used_at < @at)`,
  requestErasure: 'INSERT OR IGNORE INTO erasures (app_key, device_id) VALUES (?, ?)',
}

/** The writes of the catalog, synchronous, inside a transaction that the caller has begun. */
export class CatalogWriter {
  readonly releases: ReleaseWriter
  readonly changeRequests: ChangeRequestWriter
  readonly drafts: DraftWriter
  readonly proofs: ProofWriter
  readonly plans: PlanWriter
  readonly raiseRevision: () => void
  /** Returns false, and changes nothing, unless the release has that revision and no offer. */
  readonly offerFirst: (releaseId: string, seenRevision: number) => boolean
  readonly insertApp: (app: NewApp) => AppRecord
  readonly setAppName: (appKey: number, name: string) => void
  readonly setProving: (appKey: number, settings: ProvingSettings) => void
  readonly setFreezes: (appKey: number, freezes: readonly Freeze[]) => void
  readonly setArchived: (appKey: number, at: string | null) => void
  readonly insertChannel: (channel: NewChannel) => ChannelRecord
  readonly setPolicy: (channelKey: number, policy: ChannelPolicy) => void
  readonly insertKey: (key: NewKey) => KeyRecord
  readonly closeChangeRequest: (id: string, closing: ChangeRequestClosing) => void
  readonly setRevoked: (keyId: number, at: string) => void
  readonly setUsed: (use: KeyUse) => void
  readonly requestErasure: (appKey: number, deviceId: string) => void
  readonly appendAudit: (entry: AuditEntry) => void

  constructor(database: Connection, reader: CatalogReader) {
    const { name: file } = database
    const raiseRevision = database.prepare(SQL.raiseRevision)
    const insertApp = database.prepare<[NewApp], AppRow>(INSERT_APP)
    const setAppName = database.prepare<[{ appKey: number; name: string }]>(SQL.setAppName)
    const setArchived = database.prepare<[{ appKey: number; at: string | null }]>(SQL.setArchived)
    const setProving = database.prepare<[ProvingColumns & { key: number }]>(SET_PROVING)
    const setFreezes = database.prepare<[{ freezes: string; key: number }]>(SET_FREEZES)
    const insertChannel = database.prepare<[ChannelParameters], ChannelRow>(INSERT_CHANNEL)
    const setPolicy = database.prepare<[PolicyColumns & { key: number }]>(SET_POLICY)
    const insertKey = database.prepare<[KeyParameters], KeyRow>(INSERT_KEY)
    const setRevoked = database.prepare<[KeyUse]>(SQL.setRevoked)
    const setUsed = database.prepare<[KeyUse]>(SQL.setUsed)
    const requestErasure = database.prepare<[number, string]>(SQL.requestErasure)

    this.releases = new ReleaseWriter(database, reader)
    this.changeRequests = new ChangeRequestWriter(database)
    this.drafts = new DraftWriter(database)
    this.proofs = new ProofWriter(database)
    this.plans = new PlanWriter(database)
    this.raiseRevision = () => {
      raiseRevision.run()
    }
    this.offerFirst = (releaseId, seenRevision) => {
      const isFirst = this.releases.offerFirst(releaseId, seenRevision)
      if (isFirst) raiseRevision.run()
      return isFirst
    }
    this.insertApp = (app) =>
      toApp(inserted(file, () => insertApp.get(app), `app "${app.ref}" (id ${app.id})`))
    this.setProving = (key, settings) => {
      mustChange(file, setProving.run({ ...provingColumns(settings), key }), `app ${key}`)
    }
    this.setFreezes = (key, freezes) => {
      mustChange(file, setFreezes.run({ ...freezeColumn(freezes), key }), `app ${key}`)
    }
    this.setAppName = (appKey, name) => {
      mustChange(file, setAppName.run({ appKey, name }), `app ${appKey}`)
    }
    this.setArchived = (appKey, at) => {
      mustChange(file, setArchived.run({ appKey, at }), `app ${appKey}`)
    }
    this.insertChannel = (channel) => {
      const what = `channel "${channel.name}" of the app`
      return toChannel(inserted(file, () => insertChannel.get(channelParameters(channel)), what))
    }
    this.setPolicy = (key, policy) => {
      this.releases.touchChannel(key)
      setPolicy.run({ ...policyColumns(policy), key })
    }
    this.insertKey = (key) =>
      toKey(inserted(file, () => insertKey.get(keyParameters(key)), `key "${key.prefix}"`))
    this.closeChangeRequest = (id, closing) => {
      const closed = this.changeRequests.close(id, closing) ? 1 : 0
      mustChange(file, { changes: closed }, `open change request ${id}`)
    }
    this.setRevoked = (keyId, at) => {
      mustChange(file, setRevoked.run({ keyId, at }), `key ${keyId}`)
    }
    this.setUsed = (use) => {
      setUsed.run(use)
    }
    this.requestErasure = (appKey, deviceId) => {
      requestErasure.run(appKey, deviceId)
    }
    this.appendAudit = createAuditWriter(database)
  }
}

function inserted<Row>(file: string, insert: () => Row | undefined, what: string): Row {
  try {
    const row = insert()
    if (row !== undefined) return row
  } catch (error) {
    throw isUniqueBreach(error) ? new DuplicateError(`${what} already exists`) : error
  }
  throw new StorageError({ code: 'failed', file, detail: `${what} was not stored` })
}

function mustChange(file: string, { changes }: { changes: number }, what: string): void {
  if (changes === 1) return
  throw new StorageError({ code: 'rejected', file, detail: `there is no ${what} to change` })
}
