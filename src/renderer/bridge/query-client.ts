import { type Query, QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { consoleErrorOf, type ErrorCode } from './error.ts'

/**
 * What the page has been told. An answer counts until somebody says that it changed: the events of
 * the server do (see `useFollowChanges`). It stays on the screen while it is asked for again.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      networkMode: 'always',
      refetchOnWindowFocus: false,
      retry: (count, failure) => {
        const { code, reason } = consoleErrorOf(failure)
        // What took too long does so again.
        return count < 2 && code === 'unavailable' && reason !== 'no_answer'
      },
      retryDelay: 500,
    },
    mutations: { networkMode: 'always', retry: false },
  },
})

/** Asks again for everything on the screen that has not been answered at all, also where an answer is awaited. */
export async function retryLoading(): Promise<void> {
  const isMissing = {
    type: 'active',
    predicate: (query: Query) => query.state.data === undefined,
  } as const
  await queryClient.cancelQueries(isMissing)
  await queryClient.refetchQueries(isMissing)
}

/** Codes of errors by which what is shown may be old; others are answers. */
const FAILURES: readonly ErrorCode[] = ['unavailable', 'internal', 'temporary', 'limited']

/** Returns whether anything on the screen could not be refreshed. */
export function useIsOld(): boolean {
  return useSyncExternalStore(
    (listener) => queryClient.getQueryCache().subscribe(listener),
    () => queryClient.getQueryCache().getAll().some(isOld),
  )
}

/** Asks again for everything on the screen that could not be refreshed. */
export async function refreshOld(): Promise<void> {
  await queryClient.refetchQueries({ type: 'active', predicate: isOld })
}

function isOld(query: Query): boolean {
  const { error } = query.state
  return error !== null && query.isActive() && FAILURES.includes(consoleErrorOf(error).code)
}

/** Forgets all that the server answered, and what was asked of it. The preferences of this browser stay. */
export function forgetAnswers(): void {
  queryClient.getMutationCache().clear()
  queryClient.removeQueries({ predicate: ({ queryKey }) => !isOfShell(queryKey) })
}

/** The key of a tRPC query begins with the path of its procedure. */
function isOfShell([path]: readonly unknown[]): boolean {
  return Array.isArray(path) && path[0] === 'shell'
}
