import { TRPCClientError, type TRPCLink } from '@trpc/client'
import type { AnyTRPCRouter } from '@trpc/server'
import { observable } from '@trpc/server/observable'
import type { Bridge, CallError } from '../../shared/console/bridge.ts'
import { ConsoleError } from './error.ts'

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
