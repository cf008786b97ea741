import type { FeedRelease, Release } from '../../shared/release.ts'
import type { AppRecord, ChannelRecord, ReleaseRecord } from './store.ts'

/** Where a release stands. */
export interface Place {
  readonly app: AppRecord
  readonly record: ChannelRecord
}

/** A release as the public feed shows it: docs/api.md, "Release feed". */
export function showInFeed({ app, record }: Place, release: ReleaseRecord): FeedRelease {
  const { id, version, notes, status, rolloutPct, createdAt, artifacts } = release
  return {
    id,
    app: app.ref,
    channel: record.name,
    version,
    notes,
    status,
    rolloutPct,
    createdAt,
    artifacts: [...artifacts],
  }
}

/** A release as bearers of a key see it. */
export function showRelease(place: Place, release: ReleaseRecord): Release {
  const { targets, offered } = release
  return { ...showInFeed(place, release), targets, offered }
}
