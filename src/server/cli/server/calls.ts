import { createTRPCClient, TRPCClientError, type TRPCLink } from '@trpc/client'
import type { AnyTRPCRouter } from '@trpc/server'
import { observable } from '@trpc/server/observable'
import type { CallRequest } from '../../../shared/console/bridge/bridge.ts'
import type { CommandRouter } from '../../console/command-router.ts'

/** How the procedures of `CommandRouter` are called on one server, wherever it is. */
export interface CommandCalls {
  /** Rejects with what went wrong, which `endingOf` knows. */
  call(request: CallRequest): Promise<unknown>
}

/** The server as commands see it: `server.keys.list.query()`. */
export type CommandServer = ReturnType<typeof commandServer>

/** Returns the typed client of the commands' procedures over some way to call them. */
export function commandServer(calls: CommandCalls) {
  return createTRPCClient<CommandRouter>({ links: [linkOver<CommandRouter>(calls)] })
}

/** Returns the link of a client that calls procedures in that way. */
export function linkOver<Router extends AnyTRPCRouter>(calls: CommandCalls): TRPCLink<Router> {
  return () => {
    return ({ op: { type, path, input } }) =>
      observable((observer) => {
        if (type === 'subscription') throw new Error(`${path}: commands follow nothing`)
        calls.call({ type, path, input }).then(
          (data) => {
            observer.next({ result: { type: 'data', data } })
            observer.complete()
          },
          (error: unknown) => {
            const cause = error instanceof Error ? error : new Error(String(error))
            observer.error(TRPCClientError.from(cause))
          },
        )
      })
  }
}
