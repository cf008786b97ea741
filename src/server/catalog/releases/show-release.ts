import { withoutDetails } from '../../../shared/artifacts/details.ts'
import type {
  Artifact,
  FeedArtifact,
  FeedRelease,
  Release,
} from '../../../shared/releases/release.ts'
import { compareText } from '../../../shared/releases/version.ts'
import type { AppRecord, ChannelRecord, ReleaseRecord } from '../records.ts'

export interface Place {
  readonly app: AppRecord
  readonly record: ChannelRecord
}

/** A release as bearers of a key see it: whatever is stored of it, except the numbers of the store. */
export function showRelease({ app, record }: Place, release: ReleaseRecord): Release {
  const {
    appKey: _app,
    channelKey: _channel,
    revision: _revision,
    awaitsProof: _,
    openPct: _open,
    ...stored
  } = release
  const { id, artifacts, targets, offered, ...content } = stored
  const place = { app: app.ref, channel: record.name }
  return { id, ...place, ...content, artifacts: [...artifacts], targets, offered }
}

/** A release as the public feed shows it: docs/api.md, "Release feed". */
export function showInFeed(place: Place, release: ReleaseRecord): FeedRelease {
  const shown = showRelease(place, release)
  const { targets: _targets, offered: _offered, documents: _, artifacts, ...plain } = shown
  return { ...plain, artifacts: artifacts.map(inFeed) }
}

function inFeed(artifact: Artifact): FeedArtifact {
  const { kind: _kind, ...shown } = withoutDetails(artifact)
  return shown
}

type Dated = Pick<ReleaseRecord, 'createdAt' | 'id'>

/** Orders releases newest `createdAt` first; equal times by id, highest first. */
export function newestFirst(one: Dated, other: Dated): number {
  return compareText(other.createdAt, one.createdAt) || compareText(other.id, one.id)
}
