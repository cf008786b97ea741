import { type Query, QueryClient } from '@tanstack/react-query'
import { consoleErrorOf } from './error.ts'

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
      retry: (count, error) => count < 2 && consoleErrorOf(error).code === 'unavailable',
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

/** Forgets all that the server answered, and what was asked of it. The preferences of this browser stay. */
export function forgetAnswers(): void {
  queryClient.getMutationCache().clear()
  queryClient.removeQueries({ predicate: ({ queryKey }) => !isOfShell(queryKey) })
}

/** The key of a tRPC query begins with the path of its procedure. */
function isOfShell([path]: readonly unknown[]): boolean {
  return Array.isArray(path) && path[0] === 'shell'
}
