import { consoleErrorOf } from '../bridge/error.ts'

/** Options of a query on a page outside of the console: it is sent again until the server can answer. */
export const untilReached = {
  retry: (_failures: number, error: unknown) => consoleErrorOf(error).code === 'unavailable',
  retryDelay: 1_000,
} as const
