import type { Artifact } from '../../../shared/releases/release.ts'
import type { ReleasePageQuery } from '../../catalog/queries.ts'
import type { ReleaseRecord } from '../../catalog/records.ts'
import { type CatalogReads, type CatalogWrites, DuplicateError } from '../../catalog/store.ts'
import {
  ARTIFACT,
  artifactRow,
  RELEASE,
  type ReleaseRow,
  STORED_ARTIFACT,
  toRelease,
} from './columns/release-columns.ts'
import type { TransactionScope } from './scope.ts'
import { type Dialect, perDialect, type Questions, type Statements } from './statements.ts'
import { unknown } from './writes.ts'

const ACTIVE = 'r.app_key NOT IN (SELECT key FROM apps WHERE archived_at IS NOT NULL)'
const NEWEST_FIRST = 'ORDER BY r.created_at DESC, r.id DESC LIMIT @limit OFFSET @offset'
const IS_OFFER = 'WHERE id = @id AND revision = @seenRevision AND offered = 0'

const SELECT = perDialect(
  ({ jsonOf }) => `SELECT ${RELEASE.selected('r')},
      (SELECT open_pct FROM plans WHERE release_id = r.id AND status = 'running') AS "openPct",
      (SELECT ${jsonOf(ARTIFACT.columns, 'position')} FROM artifacts WHERE release_id = r.id) AS artifacts
    FROM releases r`,
)

const SQL = {
  touchChannel: 'UPDATE channels SET revision = revision + 1 WHERE key = @key RETURNING revision',
  insertRelease: RELEASE.insertInto('releases'),
  insertArtifact: STORED_ARTIFACT.insertInto('artifacts'),
  byVersion: `SELECT 1 AS found FROM releases
    WHERE channel_key = @channelKey AND version = @version`,
  byId: 'SELECT 1 AS found FROM releases WHERE id = @id',
  channelOf: 'SELECT channel_key AS "channelKey" FROM releases WHERE id = @id',
  setServing: `UPDATE releases SET targets = @targets, rollout_pct = @rolloutPct,
    status = @status, awaits_proof = @awaitsProof, revision = @revision WHERE id = @id`,
  touchRelease: 'UPDATE releases SET revision = @revision WHERE id = @id',
  isOffer: `SELECT 1 AS found FROM releases ${IS_OFFER}`,
  offerFirst: `UPDATE releases SET offered = 1,
      revision = (SELECT revision + 1 FROM channels WHERE key = channel_key)
    ${IS_OFFER} RETURNING channel_key AS "channelKey"`,
} as const

const IN_DIALECT = perDialect((dialect) => {
  const known = dialect.rowsOf('known', { channel: 'int', revision: 'bigint' })
  const texts = {
    platform: 'text',
    arch: 'text',
    kind: 'text',
    url: 'text',
    sha512: 'text',
  } as const
  const artifacts = dialect.rowsOf('artifacts', {
    ...{ releaseId: 'text', position: 'int' },
    ...{ ...texts, size: 'bigint', signature: 'text', details: 'text' },
  })
  const members = Object.keys(STORED_ARTIFACT.columns).map((member) => `"${member}"`)
  return {
    one: `${SELECT({ dialect })} WHERE r.channel_key = @channelKey AND r.version = @version`,
    since: `${SELECT({ dialect })} JOIN ${known}
      ON r.channel_key = known.channel AND r.revision > known.revision`,
    insertArtifacts: `INSERT INTO artifacts (${Object.values(STORED_ARTIFACT.columns).join(', ')})
      SELECT ${members.join(', ')} FROM ${artifacts}`,
  }
})

/** The statements of a page of releases and of their number. In SQLite, each walks an index: no page is sorted. */
export function releasePageSql(
  dialect: Dialect,
  { appKey, channelKey, afterId }: Pick<ReleasePageQuery, 'appKey' | 'channelKey' | 'afterId'>,
): { readonly page: string; readonly count: string } {
  const conditions = [
    ACTIVE,
    appKey !== undefined && 'r.app_key = @appKey',
    channelKey !== undefined && 'r.channel_key = @channelKey',
  ]
  const where = `WHERE ${conditions.filter(Boolean).join(' AND ')}`
  const after =
    afterId === undefined ? '' : 'AND (r.created_at, r.id) < (@afterCreatedAt, @afterId)'
  return {
    page: `${SELECT({ dialect })} ${where} ${after} ${NEWEST_FIRST}`,
    count: `SELECT count(*) AS total FROM releases r ${where}`,
  }
}

/** The questions to the releases. */
export function releaseReads(questions: Questions): Pick<CatalogReads, 'release' | 'releasePage'> {
  return {
    release: (channelKey, version) => releaseOf(questions, channelKey, version),
    releasePage: (query) =>
      questions.atOnce(async (now) => {
        const { page, count } = releasePageSql(now.dialect, query)
        const releases = await releasesOf(now, page, query)
        return { releases, total: (await now.row<{ total: number }>(count, query))?.total ?? 0 }
      }),
  }
}

/** Their writes. */
export function releaseWrites(tx: Statements): Pick<CatalogWrites, 'insertRelease' | 'setServing'> {
  return {
    async insertRelease({ artifacts, ...release }) {
      const { id, channelKey, version } = release
      // Asked ahead: artifacts come first, and those of a release that exists are refused by a trigger.
      if ((await tx.row(SQL.byVersion, { channelKey, version })) !== undefined) {
        throw new DuplicateError(`release ${version} already exists on the channel`)
      }
      if ((await tx.row(SQL.byId, { id })) !== undefined) {
        throw new DuplicateError(`a release with the id ${id} already exists`)
      }
      await tx.attempt(async () => {
        const revision = await touchChannel(tx, channelKey)
        await insertArtifacts(tx, id, artifacts)
        const row = RELEASE.write({ ...release, offered: false, revision })
        await tx.run(SQL.insertRelease, row)
      })
      const stored = await releaseOf(tx, channelKey, version)
      if (stored === undefined) throw unknown(tx, `release ${id}`)
      return stored
    },
    async setServing(id, { targets, awaitsProof, ...state }) {
      const release = await tx.row<{ channelKey: number }>(SQL.channelOf, { id })
      if (release === undefined) throw unknown(tx, `release ${id}`)
      const revision = await touchChannel(tx, release.channelKey)
      await tx.run(SQL.setServing, {
        ...{ id, ...state, revision, targets: JSON.stringify(targets) },
        awaitsProof: awaitsProof ? 1 : 0,
      })
      return revision
    },
  }
}

/** Raises the channel's revision and returns it. Rejects with `rejected` for an unknown channel. */
export async function touchChannel(tx: Statements, key: number): Promise<number> {
  const row = await tx.written<{ revision: number }>(SQL.touchChannel, { key })
  if (row === undefined) throw unknown(tx, `channel ${key}`)
  return row.revision
}

/** Raises the revision of a release, because its plan has changed what devices are offered. */
export async function touchRelease(tx: Statements, id: string): Promise<void> {
  const release = await tx.row<{ channelKey: number }>(SQL.channelOf, { id })
  if (release === undefined) throw unknown(tx, `release ${id}`)
  const revision = await touchChannel(tx, release.channelKey)
  await tx.run(SQL.touchRelease, { id, revision })
}

/** Whether `offerFirst` would write, now. */
export async function isFirstOffer(
  questions: Questions,
  id: string,
  seenRevision: number,
): Promise<boolean> {
  return (await questions.row(SQL.isOffer, { id, seenRevision })) !== undefined
}

/** See `CatalogStore.offerFirst`. Only inside an operation. */
export async function offerFirst(
  scope: TransactionScope,
  id: string,
  seenRevision: number,
): Promise<boolean> {
  const first = { id, seenRevision }
  const offered = await scope.quiet.written<{ channelKey: number }>(SQL.offerFirst, first)
  if (offered !== undefined) await touchChannel(scope.of('catalog'), offered.channelKey)
  return offered !== undefined
}

/** The releases of channels that changed after a revision of their channel, in no particular order. */
export async function releasesSince(
  questions: Questions,
  known: readonly { readonly channel: number; readonly revision: number }[],
): Promise<ReleaseRecord[]> {
  if (known.length === 0) return []
  return await releasesOf(questions, IN_DIALECT(questions).since, { known })
}

async function releaseOf(
  questions: Questions,
  channelKey: number,
  version: string,
): Promise<ReleaseRecord | undefined> {
  return (await releasesOf(questions, IN_DIALECT(questions).one, { channelKey, version }))[0]
}

async function releasesOf(
  questions: Questions,
  sql: string,
  parameters: object,
): Promise<ReleaseRecord[]> {
  const { parse } = questions.dialect
  const rows = await questions.rows<ReleaseRow>(sql, parameters)
  return rows.map((row) => toRelease({ ...row, artifacts: parse(row.artifacts) }))
}

async function insertArtifacts(
  tx: Statements,
  releaseId: string,
  artifacts: readonly Artifact[],
): Promise<void> {
  const rows = artifacts.map((artifact, position) => ({
    ...artifactRow(artifact),
    ...{ releaseId, position },
  }))
  if (tx.dialect.keepsTexts) await tx.run(IN_DIALECT(tx).insertArtifacts, { artifacts: rows })
  else for (const row of rows) await tx.run(SQL.insertArtifact, row)
}
