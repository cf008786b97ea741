import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '../../server/console/router.ts'

/** A policy and its history as they reach the page. */
export type Policy = inferRouterOutputs<AppRouter>['channels']['policy']

/** One change of a policy. */
export type PolicyChange = Policy['history'][number]
