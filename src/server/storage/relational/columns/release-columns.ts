import { detailsOf, withoutDetails } from '../../../../shared/artifacts/details.ts'
import type { ArtifactDetails } from '../../../../shared/files/artifact-details.ts'
import type { Artifact } from '../../../../shared/releases/release.ts'
import type { ReleaseRecord } from '../../../catalog/records.ts'
import { Columns, type RowOf } from './columns.ts'

type StoredRelease = Omit<ReleaseRecord, 'artifacts' | 'openPct'>

/** The columns of `releases`; artifacts have a table of their own. */
export const RELEASE = new Columns<StoredRelease>({
  id: 'plain',
  appKey: 'plain',
  channelKey: 'plain',
  version: 'plain',
  notes: 'plain',
  status: 'plain',
  rolloutPct: 'plain',
  createdAt: 'plain',
  targets: 'json',
  offered: 'flag',
  awaitsProof: 'flag',
  revision: 'plain',
  documents: 'list',
})

/** A release with its artifacts, as the engines read it. */
export type ReleaseRow = RowOf<StoredRelease> &
  Pick<ReleaseRecord, 'openPct'> & { readonly artifacts: string }

/** An artifact as its table holds it: what updaters get about the file is JSON. */
type ArtifactRow = Omit<Artifact, keyof ArtifactDetails> & { readonly details: string }

/** The columns of `artifacts`, by themselves and with their place. */
export const ARTIFACT = new Columns<ArtifactRow>({
  platform: 'plain',
  arch: 'plain',
  kind: 'plain',
  url: 'plain',
  sha512: 'plain',
  size: 'plain',
  signature: 'plain',
  details: 'plain',
})

interface Place {
  readonly releaseId: string
  readonly position: number
}

export const STORED_ARTIFACT = new Columns<ArtifactRow & Place>({
  releaseId: 'plain',
  position: 'plain',
  ...ARTIFACT.forms,
})

/** Returns the release that a row holds. */
export function toRelease({ artifacts, openPct, ...row }: ReleaseRow): ReleaseRecord {
  return { ...RELEASE.read(row), openPct, artifacts: JSON.parse(artifacts).map(toArtifact) }
}

function toArtifact({ details, ...artifact }: ArtifactRow): Artifact {
  return details === '{}' ? artifact : { ...artifact, ...JSON.parse(details) }
}

/** Returns the row of an artifact. */
export function artifactRow(artifact: Artifact): ArtifactRow {
  return { ...withoutDetails(artifact), details: JSON.stringify(detailsOf(artifact)) }
}
