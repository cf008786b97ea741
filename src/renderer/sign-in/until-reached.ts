import type { UseQueryResult } from '@tanstack/react-query'
import { consoleErrorOf } from '../bridge/error.ts'

/** Options of a query on a page outside of the console: it is sent again until the server can answer. */
export const untilReached = {
  retry: (_failures: number, error: unknown) => consoleErrorOf(error).code === 'unavailable',
  retryDelay: 1_000,
} as const

/** Returns why such a query has no answer yet; null for the first tries, and where it has one. */
export function errorOf({ error, failureCount, failureReason }: UseQueryResult<unknown, unknown>) {
  return error ?? (failureCount > 2 ? failureReason : null)
}
