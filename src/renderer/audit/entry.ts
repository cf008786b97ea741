import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '../../server/console/router.ts'

/** A page of the audit log as it reaches the page: JSON has no place for what is undefined. */
export type AuditPage = inferRouterOutputs<AppRouter>['audit']['list']

/** One change: who made it, what it was about, and what it was before and after. */
export type AuditEntry = AuditPage['entries'][number]

/** The part of a change that says what was done. */
export type Change = Pick<AuditEntry, 'action' | 'before' | 'after'>
