import type { ReleaseRecord } from '../../catalog/store.ts'
import { type Columns, insertInto, selected } from './columns.ts'

/** The columns of `releases`, by the members of a record that are stored in them. */
const COLUMNS = {
  id: 'id',
  appKey: 'app_key',
  channelKey: 'channel_key',
  version: 'version',
  notes: 'notes',
  status: 'status',
  rolloutPct: 'rollout_pct',
  createdAt: 'created_at',
  targets: 'targets',
  offered: 'offered',
  revision: 'revision',
} as const satisfies Columns<Omit<ReleaseRecord, 'artifacts'>>

/** Members that a column holds in another form: targets and artifacts as JSON, a flag as a number. */
interface Encoded {
  readonly targets: string
  readonly offered: 0 | 1
  readonly artifacts: string
}

/** A release as `SELECT_RELEASES` reads it. */
export type ReleaseRow = Omit<ReleaseRecord, keyof Encoded> & Encoded

/** What `INSERT_RELEASE` takes; artifacts have a table of their own. */
export type ReleaseParameters = Omit<ReleaseRow, 'artifacts'>

export const SELECT_RELEASES = `
  SELECT ${selected(COLUMNS, 'r')}, (
      SELECT json_group_array(
        json_object('platform', a.platform, 'arch', a.arch, 'url', a.url, 'sha512', a.sha512,
          'size', a.size, 'signature', a.signature) ORDER BY a.position)
      FROM artifacts a WHERE a.release_id = r.id
    ) AS artifacts
  FROM releases r`

export const INSERT_RELEASE = insertInto('releases', COLUMNS)

/** Returns the release that a row holds. */
export function toRelease({ targets, offered, artifacts, ...plain }: ReleaseRow): ReleaseRecord {
  return {
    ...plain,
    targets: JSON.parse(targets),
    offered: offered === 1,
    artifacts: JSON.parse(artifacts),
  }
}

/** Returns what `INSERT_RELEASE` takes; artifacts are written on their own. */
export function releaseParameters({
  targets,
  offered,
  ...plain
}: Omit<ReleaseRecord, 'artifacts'>): ReleaseParameters {
  return { ...plain, targets: JSON.stringify(targets), offered: offered ? 1 : 0 }
}
