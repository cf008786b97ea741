import { httpBatchLink, TRPCClientError, type TRPCLink } from '@trpc/client'
import type { AnyTRPCRouter } from '@trpc/server'
import { observable } from '@trpc/server/observable'
import { CallError } from '../../../shared/console/bridge.ts'
import { CONSOLE_HEADER } from '../../../shared/console/web.ts'
import { ConsoleError } from '../error.ts'
import { noticeSignedOut } from './session-end.ts'

/** Most calls in one request. */
const MAX_BATCH = 20

/** A tRPC link to the server that this page came from. `path`: from the page's address, such as `api`. */
export function httpLink<Router extends AnyTRPCRouter>(path: string): TRPCLink<Router> {
  return (runtime) => {
    let link: ReturnType<TRPCLink<AnyTRPCRouter>> | undefined
    return ({ op }) =>
      observable((observer) => {
        // With the first call: tests load this without a page.
        link ??= batchLink(path)(runtime)
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
function batchLink(path: string): TRPCLink<AnyTRPCRouter> {
  return httpBatchLink<AnyTRPCRouter>({
    url: new URL(path, document.baseURI).href,
    methodOverride: 'POST',
    maxItems: MAX_BATCH,
    headers: { [CONSOLE_HEADER]: '1' },
  })
}

/** Gives an error of a call the `ConsoleError` as its cause, as the desktop app's link does. */
function withCause<Router extends AnyTRPCRouter>(error: unknown): TRPCClientError<Router> {
  const cause = ConsoleError.of(callErrorOf(error))
  if (cause.refusal?.code === 'sign_in_needed') noticeSignedOut()
  return new TRPCClientError<Router>(cause.message, { cause })
}

/** What the server sent as the facts of an error; without any, it could not be reached. */
function callErrorOf(error: unknown): CallError {
  const data = error instanceof TRPCClientError ? error.data : undefined
  const parsed = CallError.safeParse(data?.callError)
  return parsed.success ? parsed.data : { code: 'unavailable', reason: 'server_not_answering' }
}
