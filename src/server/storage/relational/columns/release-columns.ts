import type { ArtifactDetails } from '../../../../shared/artifact-details.ts'
import { detailsOf, withoutDetails } from '../../../../shared/artifacts/details.ts'
import type { Artifact } from '../../../../shared/release.ts'
import type { SignedDocument } from '../../../../shared/signed-document.ts'
import type { ReleaseRecord } from '../../../catalog/records.ts'
import { type Columns, insertInto } from './columns.ts'

/** The columns of `releases`, by the members of a record that are stored in them. */
export const RELEASE = {
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
  awaitsProof: 'awaits_proof',
  revision: 'revision',
  documents: 'documents',
} as const satisfies Columns<Omit<ReleaseRecord, 'artifacts'>>

/** An artifact as its table holds it: what updaters get about the file is JSON. */
type ArtifactRow = Omit<Artifact, keyof ArtifactDetails> & { readonly details: string }

/** The columns of `artifacts`. */
export const ARTIFACT = {
  platform: 'platform',
  arch: 'arch',
  kind: 'kind',
  url: 'url',
  sha512: 'sha512',
  size: 'size',
  signature: 'signature',
  details: 'details',
} as const satisfies Columns<ArtifactRow>

export const STORED_ARTIFACT = {
  releaseId: 'release_id',
  position: 'position',
  ...ARTIFACT,
} as const

/** Members that a column holds in another form: targets, artifacts and documents as JSON, a flag as a number. */
interface Encoded {
  readonly targets: string
  readonly offered: 0 | 1
  readonly awaitsProof: 0 | 1
  readonly artifacts: string
  readonly documents: string
}

/** A release with its artifacts, as the engines read it. */
export type ReleaseRow = Omit<ReleaseRecord, keyof Encoded> & Encoded

/** What `INSERT_RELEASE` takes; artifacts have a table of their own. */
export type ReleaseParameters = Omit<ReleaseRow, 'artifacts'>

export const INSERT_RELEASE = insertInto('releases', RELEASE)

/** Returns the release that a row holds. */
export function toRelease({
  targets,
  offered,
  awaitsProof,
  artifacts,
  documents,
  ...plain
}: ReleaseRow): ReleaseRecord {
  return {
    ...plain,
    targets: JSON.parse(targets),
    offered: offered === 1,
    awaitsProof: awaitsProof === 1,
    artifacts: JSON.parse(artifacts).map(toArtifact),
    ...toDocuments(documents),
  }
}

/** Returns the documents that a column holds, as the member of a record: absent if there are none. */
export function toDocuments(column: string): { documents?: SignedDocument[] } {
  return column === '[]' ? {} : { documents: JSON.parse(column) }
}

function toArtifact({ details, ...artifact }: ArtifactRow): Artifact {
  return details === '{}' ? artifact : { ...artifact, ...JSON.parse(details) }
}

/** Returns the row of an artifact. */
export function artifactRow(artifact: Artifact): ArtifactRow {
  return { ...withoutDetails(artifact), details: JSON.stringify(detailsOf(artifact)) }
}

/** Returns what `INSERT_RELEASE` takes; artifacts are written on their own. */
export function releaseParameters({
  targets,
  offered,
  awaitsProof,
  documents = [],
  ...plain
}: Omit<ReleaseRecord, 'artifacts'>): ReleaseParameters {
  return {
    ...plain,
    targets: JSON.stringify(targets),
    offered: offered ? 1 : 0,
    awaitsProof: awaitsProof ? 1 : 0,
    documents: JSON.stringify(documents),
  }
}
