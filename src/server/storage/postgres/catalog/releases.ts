import type { ReleaseRecord } from '../../../catalog/records.ts'
import type { ReleasePageQuery } from '../../../catalog/store.ts'
import { selected } from '../../columns/columns.ts'
import { RELEASE, type ReleaseRow, toRelease } from '../../columns/release-columns.ts'
import type { Queries } from '../connection/database.ts'
import { named } from '../connection/statements.ts'
import { jsonFromStored } from '../connection/text.ts'

const SELECT_RELEASES = `
  SELECT ${selected(RELEASE, 'r')}, (
      SELECT coalesce(json_agg(
        json_build_object('platform', a.platform, 'arch', a.arch, 'kind', a.kind, 'url', a.url,
          'sha512', a.sha512, 'size', a.size, 'signature', a.signature) ORDER BY a.position), '[]')
      FROM artifacts a WHERE a.release_id = r.id
    ) AS artifacts
  FROM releases r`

const SQL = {
  one: `${SELECT_RELEASES} WHERE r.channel_key = $1 AND r.version = $2`,
  since: `${SELECT_RELEASES} JOIN unnest($1::int[], $2::bigint[]) AS known (channel, revision)
    ON r.channel_key = known.channel AND r.revision > known.revision`,
} as const

const ACTIVE = 'r.app_key NOT IN (SELECT key FROM apps WHERE archived_at IS NOT NULL)'
const NEWEST_FIRST = 'ORDER BY r.created_at DESC, r.id DESC LIMIT @limit OFFSET @offset'

export async function releaseOf(
  queries: Queries,
  channelKey: number,
  version: string,
): Promise<ReleaseRecord | undefined> {
  const row = await queries.row<ReleaseRow>(SQL.one, [channelKey, version])
  return row && fromRow(row)
}

/** A page and its total, of one snapshot if `queries` has one. */
export async function releasePage(
  queries: Queries,
  query: ReleasePageQuery,
): Promise<{ releases: ReleaseRecord[]; total: number }> {
  const conditions = [
    ACTIVE,
    query.appKey !== undefined && 'r.app_key = @appKey',
    query.channelKey !== undefined && 'r.channel_key = @channelKey',
  ]
  const where = `WHERE ${conditions.filter(Boolean).join(' AND ')}`
  const page = named(`${SELECT_RELEASES} ${where} ${NEWEST_FIRST}`)
  const rows = await queries.rows<ReleaseRow>(page, { ...query })
  const count = named(`SELECT count(*) AS total FROM releases r ${where}`)
  const counted = await queries.row<{ total: number }>(count, { ...query })
  return { releases: rows.map(fromRow), total: counted?.total ?? 0 }
}

/** The releases of channels that changed after a revision of their channel, by channel, in no particular order. */
export async function releasesSince(
  queries: Queries,
  known: ReadonlyMap<number, number>,
): Promise<ReleaseRecord[]> {
  if (known.size === 0) return []
  const rows = await queries.rows<ReleaseRow>(SQL.since, [[...known.keys()], [...known.values()]])
  return rows.map(fromRow)
}

function fromRow(row: ReleaseRow): ReleaseRecord {
  return toRelease({ ...row, artifacts: jsonFromStored(row.artifacts) })
}
