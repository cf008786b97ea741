import { createTRPCClient } from '@trpc/client'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { ShellRouter } from '../../main/ipc/shell-router.ts'
import type { AppRouter } from '../../server/console/router.ts'
import type { Bridge } from '../../shared/console/bridge.ts'
import { bridgeLink } from './link.ts'
import { queryClient } from './query-client.ts'

declare global {
  interface Window {
    /** Put there by the preload script. */
    readonly tidegate: Bridge
  }
}

/** The two functions that reach the processes behind the page. Looked up when called: tests render without them. */
const bridge: Bridge = {
  call: (request) => window.tidegate.call(request),
  subscribe: (request, listener) => window.tidegate.subscribe(request, listener),
}

/** Calls the server process directly; screens use `server` instead. */
export const serverClient = createTRPCClient<AppRouter>({ links: [bridgeLink(bridge)] })

/**
 * What the server process can be asked, as options for TanStack Query:
 * `useQuery(server.apps.list.queryOptions())`, `useMutation(server.keys.mint.mutationOptions())`,
 * `useSubscription(server.releases.preview.subscriptionOptions(input))`.
 */
export const server = createTRPCOptionsProxy<AppRouter>({ client: serverClient, queryClient })

/** Calls the main process directly; screens use `shell` instead. */
export const shellClient = createTRPCClient<ShellRouter>({ links: [bridgeLink(bridge)] })

/** What the main process can be asked, as options for TanStack Query. */
export const shell = createTRPCOptionsProxy<ShellRouter>({ client: shellClient, queryClient })
