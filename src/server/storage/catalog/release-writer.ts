import type { Artifact } from '../../../shared/release.ts'
import type { ReleaseRecord } from '../../catalog/records.ts'
import { DuplicateError, type NewRelease, type ServingState } from '../../catalog/store.ts'
import {
  INSERT_RELEASE,
  type ReleaseParameters,
  type ReleaseRow,
  releaseParameters,
} from '../columns/release-columns.ts'
import { StorageError } from '../interface/storage-error.ts'
import type { Connection } from '../sqlite/database.ts'
import { isConstraintBreach } from '../sqlite/errors.ts'
import type { CatalogReader } from './catalog-reader.ts'

const SQL = {
  touchChannel: 'UPDATE channels SET revision = revision + 1 WHERE key = ? RETURNING revision',
  insertArtifact: `INSERT INTO artifacts
    (release_id, position, platform, arch, kind, url, sha512, size, signature)
    VALUES (@releaseId, @position, @platform, @arch, @kind, @url, @sha512, @size, @signature)`,
  channelOf: 'SELECT channel_key FROM releases WHERE id = ?',
  setServing: `UPDATE releases SET targets = @targets, rollout_pct = @rolloutPct, status = @status,
    awaits_proof = @awaitsProof, revision = @revision WHERE id = @id`,
  offerFirst: `UPDATE releases SET offered = 1,
      revision = (SELECT revision + 1 FROM channels WHERE key = channel_key)
    WHERE id = ? AND revision = ? AND offered = 0 RETURNING channel_key`,
}

type ArtifactParameters = Artifact & { releaseId: string; position: number }
type ServingParameters = Pick<
  ReleaseRow,
  'id' | 'revision' | 'targets' | 'rolloutPct' | 'status' | 'awaitsProof'
>

/** The writes of releases, synchronous, inside a transaction that the caller has begun. */
export class ReleaseWriter {
  /** Raises the channel's revision and returns it. Throws `StorageError` for an unknown channel. */
  readonly touchChannel: (channelKey: number) => number
  readonly insert: (release: NewRelease) => ReleaseRecord
  /** Returns the new revision of the release. */
  readonly setServing: (id: string, state: ServingState) => number
  /** Returns false, and changes nothing, unless the release has that revision and no offer. */
  readonly offerFirst: (id: string, seenRevision: number) => boolean

  constructor(database: Connection, reader: CatalogReader) {
    const { name: file } = database
    const touchChannel = database.prepare<[number], number>(SQL.touchChannel).pluck()
    const insertArtifact = database.prepare<[ArtifactParameters]>(SQL.insertArtifact)
    const insertRelease = database.prepare<[ReleaseParameters]>(INSERT_RELEASE)
    const channelOf = database.prepare<[string], number>(SQL.channelOf).pluck()
    const setServing = database.prepare<[ServingParameters]>(SQL.setServing)
    const offerFirst = database.prepare<[string, number], number>(SQL.offerFirst).pluck()

    // A savepoint, so that a refused release leaves no artifacts behind.
    const insertWhole = database.transaction((release: NewRelease) => {
      const { artifacts, ...rest } = release
      const { id: releaseId } = rest
      const revision = this.touchChannel(release.channelKey)
      for (const [position, artifact] of artifacts.entries()) {
        insertArtifact.run({ ...artifact, releaseId, position })
      }
      insertRelease.run(releaseParameters({ ...rest, offered: false, revision }))
    })
    const touchChannelOf = (id: string) => {
      const channelKey = channelOf.get(id)
      if (channelKey === undefined) throw unknown(file, 'release', id)
      return this.touchChannel(channelKey)
    }

    this.touchChannel = (key) => {
      const revision = touchChannel.get(key)
      if (revision === undefined) throw unknown(file, 'channel', key)
      return revision
    }
    this.insert = (release) => {
      try {
        insertWhole(release)
      } catch (error) {
        if (!isConstraintBreach(error)) throw error
        const { version } = release
        if (reader.release(release.channelKey, version) !== undefined) {
          throw new DuplicateError(`release ${version} already exists on the channel`)
        }
        if (channelOf.get(release.id) !== undefined) {
          throw new DuplicateError(`a release with the id ${release.id} already exists`)
        }
        throw error
      }
      const stored = reader.release(release.channelKey, release.version)
      if (stored === undefined) throw unknown(file, 'release', release.id)
      return stored
    }
    this.setServing = (id, { targets, awaitsProof, ...state }) => {
      const revision = touchChannelOf(id)
      setServing.run({
        ...{ id, ...state, revision, targets: JSON.stringify(targets) },
        awaitsProof: awaitsProof ? 1 : 0,
      })
      return revision
    }
    this.offerFirst = (id, seenRevision) => {
      const channelKey = offerFirst.get(id, seenRevision)
      if (channelKey !== undefined) this.touchChannel(channelKey)
      return channelKey !== undefined
    }
  }
}

function unknown(file: string, what: string, key: string | number): StorageError {
  return new StorageError({ code: 'rejected', file, detail: `there is no ${what} ${key}` })
}
