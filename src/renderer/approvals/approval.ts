import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '../../server/console/router.ts'

/** A change request as it reaches the page. */
export type ApprovalDetail = inferRouterOutputs<AppRouter>['changeRequests']['get']
