import { httpBatchLink, TRPCClientError, type TRPCLink } from '@trpc/client'
import type { AnyTRPCRouter } from '@trpc/server'
import { observable } from '@trpc/server/observable'
import { CallError } from '../../../shared/console/bridge/bridge.ts'
import {
  CALL_AGE_HEADER,
  CALL_KEY_HEADER,
  CONSOLE_HEADER,
} from '../../../shared/console/bridge/web.ts'
import { ConsoleError } from '../error.ts'
import type { NamedCall } from '../repeating-link.ts'
import { noticeSignedOut } from './session-end.ts'

/** Most calls in one request. */
const MAX_BATCH = 20

/** A tRPC link to the server that this page came from. `path`: from the page's address, such as `api`. */
export function httpLink<Router extends AnyTRPCRouter>(path: string): TRPCLink<Router> {
  return (runtime) => {
    let links: ReturnType<typeof linksTo> | undefined
    return ({ op }) =>
      observable((observer) => {
        // With the first call: tests load this without a page.
        links ??= linksTo(path, runtime)
        // A change is alone in its request, which carries its name.
        const link = op.type === 'mutation' ? links.single : links.batch
        const subscription = link({ op, next: () => observable(() => {}) }).subscribe({
          next: (value) => observer.next(value),
          complete: () => observer.complete(),
          error: (error) => observer.error(withCause<Router>(error)),
        })
        return () => subscription.unsubscribe()
      })
  }
}

/** Every call is a POST: browsers send `Origin` with it, which the server checks. */
function linksTo(path: string, runtime: Parameters<TRPCLink<AnyTRPCRouter>>[0]) {
  const options = { url: new URL(path, document.baseURI).href, methodOverride: 'POST' } as const
  const headers = { [CONSOLE_HEADER]: '1' }
  return {
    single: httpBatchLink<AnyTRPCRouter>({
      ...options,
      maxItems: 1,
      headers: ({ opList: [op] }) => ({ ...headers, ...nameOf(op.context) }),
    })(runtime),
    batch: httpBatchLink<AnyTRPCRouter>({ ...options, headers, maxItems: MAX_BATCH })(runtime),
  }
}

function nameOf({ named }: { readonly named?: NamedCall }): Record<string, string> {
  if (named === undefined) return {}
  const { key, age } = named
  return { [CALL_KEY_HEADER]: key, ...(age === undefined ? {} : { [CALL_AGE_HEADER]: `${age}` }) }
}

/** Gives an error of a call the `ConsoleError` as its cause, as the desktop app's link does. */
function withCause<Router extends AnyTRPCRouter>(error: unknown): TRPCClientError<Router> {
  const cause = ConsoleError.of(callErrorOf(error))
  if (cause.refusal?.code === 'sign_in_needed') noticeSignedOut()
  return new TRPCClientError<Router>(cause.message, { cause })
}

/** What the server sent as the facts of an error; without any, a proxy has refused the call, or nobody has answered it. */
function callErrorOf(error: unknown): CallError {
  const { data, meta } = error instanceof TRPCClientError ? error : {}
  const parsed = CallError.safeParse(data?.callError)
  if (parsed.success) return parsed.data
  const response = meta?.response
  const isRefused = response instanceof Response && response.status >= 400 && response.status < 500
  return { code: 'unavailable', reason: isRefused ? 'refused_on_the_way' : 'server_not_answering' }
}
