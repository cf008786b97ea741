import type { DraftRecord } from './records.ts'

/** Change requests, newest first. */
export interface ChangeRequestQuery {
  readonly appKeys: readonly number[]
  readonly state: 'open' | 'closed'
  readonly limit: number
}

/** Drafts whose time is not up at `at`, the one that changed last first. */
export interface DraftQuery {
  readonly channelKeys: readonly number[]
  readonly at: string
  readonly limit: number
  readonly offset: number
}

/** A page of the drafts, and how many there are on all pages. */
export interface DraftPage {
  readonly drafts: DraftRecord[]
  readonly total: number
}

/** A page of the releases, newest `createdAt` first; equal times by id, highest first. Those of archived apps are left out. */
export interface ReleasePageQuery {
  readonly appKey?: number
  readonly channelKey?: number
  readonly limit: number
  readonly offset: number
  /** Only what is listed after the release with this time and ID; the total is of all. */
  readonly afterCreatedAt?: string
  readonly afterId?: string
}
