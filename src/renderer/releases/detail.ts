import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '../../server/console/router.ts'
import type { ComparedRelease } from '../../shared/console/releases/releases.ts'

/** A release as it reaches the page: JSON has no place for what is undefined. */
export type ReleaseDetail = inferRouterOutputs<AppRouter>['releases']['get']

/** One change in the life of a release. */
export type HistoryEntry = ReleaseDetail['history'][number]

/** Two releases of one app: the one that changes are counted from, and the one they lead to. */
export interface ReleasePair {
  readonly from: ComparedRelease
  readonly to: ComparedRelease
}
