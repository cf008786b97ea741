import { createTRPCClient, splitLink, TRPCClientError, type TRPCLink } from '@trpc/client'
import type { AnyTRPCRouter } from '@trpc/server'
import { observable } from '@trpc/server/observable'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { ShellRouter } from '../../main/ipc/shell-router.ts'
import type { AppRouter } from '../../server/console/router.ts'
import type { Bridge, CallError } from '../../shared/console/bridge/bridge.ts'
import { httpLink } from './browser/http-link.ts'
import { LiveConnection } from './browser/live-connection.ts'
import { browserShell } from './browser/shell.ts'
import { confirmingLink } from './confirming-link.ts'
import { ConsoleError } from './error.ts'
import { queryClient } from './query-client.ts'
import { repeatingLink } from './repeating-link.ts'

declare global {
  interface Window {
    /** Put there by the preload script of the desktop app; a browser has none. */
    readonly tidegate?: Bridge
  }
}

/** Whether the page is shown by the desktop app, and not by a browser. */
export const isDesktop = (): boolean => window.tidegate !== undefined

const live = new LiveConnection(() => {
  const address = new URL('live', document.baseURI)
  address.protocol = address.protocol.replace('http', 'ws')
  return address.href
})
const shellOfBrowser = browserShell(live)

/** Chosen when called: tests render without either. */
const shellBridge = (): Bridge => window.tidegate ?? shellOfBrowser
const liveBridge = (): Bridge =>
  window.tidegate ?? { ...shellOfBrowser, subscribe: live.subscribe.bind(live) }

function bridged<Router extends AnyTRPCRouter>(bridge: () => Bridge): TRPCLink<Router> {
  return bridgeLink({
    call: (request) => bridge().call(request),
    subscribe: (request, listener) => bridge().subscribe(request, listener),
  })
}

/** Calls the server directly; screens use `server` instead. */
export const serverClient = createTRPCClient<AppRouter>({
  links: [
    confirmingLink(),
    // The desktop app's port loses no answers.
    repeatingLink(() => !isDesktop()),
    splitLink({
      condition: ({ type }) => type === 'subscription' || isDesktop(),
      true: bridged(liveBridge),
      false: httpLink('api'),
    }),
  ],
})

/**
 * What the server can be asked, as options for TanStack Query:
 * `useQuery(server.apps.list.queryOptions())`, `useMutation(server.keys.mint.mutationOptions())`,
 * `useSubscription(server.releases.preview.subscriptionOptions(input))`.
 */
export const server = createTRPCOptionsProxy<AppRouter>({ client: serverClient, queryClient })

/** Calls what is around the page directly, the main process or the browser; screens use `shell` instead. */
export const shellClient = createTRPCClient<ShellRouter>({ links: [bridged(shellBridge)] })

/** What the main process, or the browser in its place, can be asked, as options for TanStack Query. */
export const shell = createTRPCOptionsProxy<ShellRouter>({ client: shellClient, queryClient })

/** A tRPC link that ends at the bridge. Errors have a `ConsoleError` as their cause. */
export function bridgeLink<Router extends AnyTRPCRouter>(bridge: Bridge): TRPCLink<Router> {
  const failed = (error: CallError) => {
    const cause = ConsoleError.of(error)
    return new TRPCClientError<Router>(cause.message, { cause })
  }
  return () =>
    ({ op: { type, path, input, signal } }) =>
      observable((observer) => {
        if (type === 'subscription') {
          observer.next({ result: { type: 'started' } })
          return bridge.subscribe({ path, input }, (event) => {
            if (event.type === 'data') observer.next({ result: { type: 'data', data: event.data } })
            else if (event.type === 'error') observer.error(failed(event.error))
            else observer.complete()
          })
        }
        let wanted = true
        bridge.call({ type, path, input }).then(
          (result) => {
            if (!wanted || signal?.aborted) return
            if (!result.ok) return observer.error(failed(result.error))
            observer.next({ result: { type: 'data', data: result.data } })
            observer.complete()
          },
          (error: unknown) => {
            if (wanted)
              observer.error(
                failed({ code: 'internal', reason: 'page_error', detail: String(error) }),
              )
          },
        )
        return () => {
          wanted = false
        }
      })
}
