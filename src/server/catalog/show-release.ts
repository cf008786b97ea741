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

type Dated = Pick<ReleaseRecord, 'createdAt' | 'id'>

/** Orders releases newest `createdAt` first; equal times by id, highest first. */
export function newestFirst(one: Dated, other: Dated): number {
  return compareText(other.createdAt, one.createdAt) || compareText(other.id, one.id)
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
