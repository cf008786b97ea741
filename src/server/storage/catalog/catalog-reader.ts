import type { AppRecord, ChannelRecord, KeyRecord, ReleaseRecord } from '../../catalog/records.ts'
import type { ReleasePageQuery } from '../../catalog/store.ts'
import {
  type AppRow,
  type ChannelRow,
  type KeyRow,
  SELECT_APPS,
  SELECT_CHANNELS,
  SELECT_KEYS,
  toApp,
  toChannel,
  toKey,
} from '../columns/catalog-columns.ts'
import { selected } from '../columns/columns.ts'
import { RELEASE, type ReleaseRow, toRelease } from '../columns/release-columns.ts'
import type { Connection } from '../sqlite/database.ts'
import { AuditReader } from './audit-log.ts'
import { ChangeRequestReader } from './change-requests.ts'
import { DraftReader } from './drafts.ts'
import { PlanReader } from './plans.ts'
import { ProofReader } from './proofs.ts'

const SELECT_RELEASES = `
  SELECT ${selected(RELEASE, 'r')}, (
      SELECT json_group_array(
        json_object('platform', a.platform, 'arch', a.arch, 'kind', a.kind, 'url', a.url,
          'sha512', a.sha512, 'size', a.size, 'signature', a.signature) ORDER BY a.position)
      FROM artifacts a WHERE a.release_id = r.id
    ) AS artifacts
  FROM releases r`

const NEWEST_FIRST = 'ORDER BY r.created_at DESC, r.id DESC LIMIT @limit OFFSET @offset'
const ACTIVE = 'r.app_key NOT IN (SELECT key FROM apps WHERE archived_at IS NOT NULL)'
const OF_ALL = `WHERE ${ACTIVE}`
const OF_APP = `WHERE r.app_key = @appKey AND ${ACTIVE}`
const OF_CHANNEL = `WHERE r.channel_key = @channelKey AND ${ACTIVE}`
const OF_BOTH = `${OF_CHANNEL} AND r.app_key = @appKey`

/** The statements behind a page of releases. Each walks an index: no page is sorted. */
export const RELEASE_PAGES = {
  all: `${SELECT_RELEASES} ${OF_ALL} ${NEWEST_FIRST}`,
  app: `${SELECT_RELEASES} ${OF_APP} ${NEWEST_FIRST}`,
  channel: `${SELECT_RELEASES} ${OF_CHANNEL} ${NEWEST_FIRST}`,
  both: `${SELECT_RELEASES} ${OF_BOTH} ${NEWEST_FIRST}`,
}

const RELEASE_COUNTS = {
  all: `SELECT count(*) FROM releases r ${OF_ALL}`,
  app: `SELECT count(*) FROM releases r ${OF_APP}`,
  channel: `SELECT count(*) FROM releases r ${OF_CHANNEL}`,
  both: `SELECT count(*) FROM releases r ${OF_BOTH}`,
}

type PageKind = keyof typeof RELEASE_PAGES

/** Queries of the catalog on one connection, synchronous, each on one snapshot. */
export class CatalogReader {
  readonly revision: () => number
  readonly dataVersion: () => number
  readonly apps: () => AppRecord[]
  readonly channels: () => ChannelRecord[]
  /** The channel's releases that changed after its revision `since` (0: all), in no particular order. */
  readonly releasesOf: (channelKey: number, since: number) => ReleaseRecord[]
  readonly release: (channelKey: number, version: string) => ReleaseRecord | undefined
  readonly releasePage: (query: ReleasePageQuery) => { releases: ReleaseRecord[]; total: number }
  readonly keys: () => KeyRecord[]
  readonly auditLog: AuditReader
  readonly changeRequests: ChangeRequestReader
  readonly drafts: DraftReader
  readonly proofs: ProofReader
  readonly plans: PlanReader

  constructor(database: Connection) {
    const revision = database.prepare<[], number>('SELECT revision FROM catalog_state').pluck()
    const dataVersion = database.prepare<[], number>('PRAGMA data_version').pluck()
    const apps = database.prepare<[], AppRow>(`${SELECT_APPS} ORDER BY key`)
    const channels = database.prepare<[], ChannelRow>(`${SELECT_CHANNELS} ORDER BY key`)
    const keys = database.prepare<[], KeyRow>(`${SELECT_KEYS} ORDER BY id`)
    const releasesOf = database.prepare<[number, number], ReleaseRow>(
      `${SELECT_RELEASES} WHERE r.channel_key = ? AND r.revision > ?`,
    )
    const release = database.prepare<[number, string], ReleaseRow>(
      `${SELECT_RELEASES} WHERE r.channel_key = ? AND r.version = ?`,
    )
    this.revision = () => revision.get() ?? 0
    this.dataVersion = () => dataVersion.get() ?? 0
    this.apps = () => apps.all().map(toApp)
    this.channels = () => channels.all().map(toChannel)
    this.releasesOf = (channelKey, since) => releasesOf.all(channelKey, since).map(toRelease)
    this.release = (channelKey, version) => {
      const row = release.get(channelKey, version)
      return row && toRelease(row)
    }
    this.releasePage = pageReader(database)
    this.keys = () => keys.all().map(toKey)
    this.auditLog = new AuditReader(database)
    this.changeRequests = new ChangeRequestReader(database)
    this.drafts = new DraftReader(database)
    this.proofs = new ProofReader(database)
    this.plans = new PlanReader(database)
  }
}

function pageReader(database: Connection): CatalogReader['releasePage'] {
  const prepare = (kind: PageKind) => {
    const page = database.prepare<[ReleasePageQuery], ReleaseRow>(RELEASE_PAGES[kind])
    const count = database.prepare<[ReleasePageQuery], number>(RELEASE_COUNTS[kind]).pluck()
    // One transaction, so that the total is that of the page.
    return database.transaction((query: ReleasePageQuery) => ({
      releases: page.all(query).map(toRelease),
      total: count.get(query) ?? 0,
    }))
  }
  const all = prepare('all')
  const ofApp = prepare('app')
  const ofChannel = prepare('channel')
  const ofBoth = prepare('both')
  return (query) => {
    if (query.channelKey === undefined)
      return query.appKey === undefined ? all(query) : ofApp(query)
    return query.appKey === undefined ? ofChannel(query) : ofBoth(query)
  }
}
