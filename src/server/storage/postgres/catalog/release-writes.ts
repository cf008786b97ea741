import type { Artifact } from '../../../../shared/release.ts'
import type { ReleaseRecord } from '../../../catalog/records.ts'
import { DuplicateError, type NewRelease, type ServingState } from '../../../catalog/store.ts'
import { INSERT_RELEASE, releaseParameters } from '../../columns/release-columns.ts'
import type { Queries, Transaction } from '../connection/database.ts'
import { named } from '../connection/statements.ts'
import { unknown } from '../transactions/writes.ts'
import { releaseOf } from './releases.ts'

const SQL = {
  touchChannel: 'UPDATE channels SET revision = revision + 1 WHERE key = $1 RETURNING revision',
  insertArtifacts: `INSERT INTO artifacts
      (release_id, position, platform, arch, kind, url, sha512, size, signature)
    SELECT $1, each.position - 1, platform, arch, kind, url, sha512, size, signature
    FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::text[])
      WITH ORDINALITY
      AS each (platform, arch, kind, url, sha512, size, signature, position)`,
  insertRelease: named(INSERT_RELEASE),
  byVersion: 'SELECT FROM releases WHERE channel_key = $1 AND version = $2',
  byId: 'SELECT FROM releases WHERE id = $1',
  channelOf: 'SELECT channel_key AS "channelKey" FROM releases WHERE id = $1',
  setServing: named(`UPDATE releases SET targets = @targets, rollout_pct = @rolloutPct,
    status = @status, awaits_proof = @awaitsProof, revision = @revision WHERE id = @id`),
  isOffer: 'SELECT FROM releases WHERE id = $1 AND revision = $2 AND offered = 0',
  offerFirst: `UPDATE releases SET offered = 1,
      revision = (SELECT revision + 1 FROM channels WHERE key = channel_key)
    WHERE id = $1 AND revision = $2 AND offered = 0 RETURNING channel_key AS "channelKey"`,
} as const

/** Raises the channel's revision and returns it. Rejects with `rejected` for an unknown channel. */
export async function touchChannel(tx: Queries, channelKey: number): Promise<number> {
  const row = await tx.row<{ revision: number }>(SQL.touchChannel, [channelKey])
  if (row === undefined) throw unknown(tx, `channel ${channelKey}`)
  return row.revision
}

export async function insertRelease(
  tx: Transaction,
  { artifacts, ...release }: NewRelease,
): Promise<ReleaseRecord> {
  const { id, channelKey, version } = release
  // Asked ahead: artifacts come first, and those of a release that exists are refused by a trigger.
  if ((await tx.row(SQL.byVersion, [channelKey, version])) !== undefined) {
    throw new DuplicateError(`release ${version} already exists on the channel`)
  }
  if ((await tx.row(SQL.byId, [id])) !== undefined) {
    throw new DuplicateError(`a release with the id ${id} already exists`)
  }
  await tx.attempt(async () => {
    const revision = await touchChannel(tx, channelKey)
    await tx.run(SQL.insertArtifacts, [id, ...columnsOf(artifacts)])
    const row = releaseParameters({ ...release, offered: false, revision })
    await tx.run(SQL.insertRelease, { ...row })
  })
  const stored = await releaseOf(tx, channelKey, version)
  if (stored === undefined) throw unknown(tx, `release ${id}`)
  return stored
}

/** Returns the new revision of the release. */
export async function setServing(
  tx: Queries,
  id: string,
  { targets, awaitsProof, ...state }: ServingState,
): Promise<number> {
  const release = await tx.row<{ channelKey: number }>(SQL.channelOf, [id])
  if (release === undefined) throw unknown(tx, `release ${id}`)
  const revision = await touchChannel(tx, release.channelKey)
  await tx.run(SQL.setServing, {
    ...{ id, ...state, revision, targets: JSON.stringify(targets) },
    awaitsProof: awaitsProof ? 1 : 0,
  })
  return revision
}

/** Whether `offerFirst` would write, now. */
export async function isFirstOffer(
  queries: Queries,
  id: string,
  seenRevision: number,
): Promise<boolean> {
  return (await queries.row(SQL.isOffer, [id, seenRevision])) !== undefined
}

/** Returns false, and changes nothing, unless the release has that revision and no offer. */
export async function offerFirst(tx: Queries, id: string, seenRevision: number): Promise<boolean> {
  const offered = await tx.row<{ channelKey: number }>(SQL.offerFirst, [id, seenRevision])
  if (offered !== undefined) await touchChannel(tx, offered.channelKey)
  return offered !== undefined
}

function columnsOf(artifacts: readonly Artifact[]): unknown[][] {
  return [
    artifacts.map(({ platform }) => platform),
    artifacts.map(({ arch }) => arch),
    artifacts.map(({ kind }) => kind),
    artifacts.map(({ url }) => url),
    artifacts.map(({ sha512 }) => sha512),
    artifacts.map(({ size }) => size),
    artifacts.map(({ signature }) => signature),
  ]
}
