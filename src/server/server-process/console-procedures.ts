import { callTRPCProcedure, TRPCError } from '@trpc/server'
import type { Logger } from 'pino'
import type { Procedures } from '../../shared/console/procedures.ts'
import type { ConsoleContext } from '../console/context.ts'
import { consoleRouter, toCallError } from '../console/router.ts'

/** The console's router over a running server's context. The cause of an `internal` error goes to the log alone. */
export function consoleProcedures(ctx: ConsoleContext, log: Logger): Procedures {
  return {
    run: ({ type, path, input, signal }) =>
      callTRPCProcedure({
        router: consoleRouter,
        ctx,
        type,
        path,
        getRawInput: async () => input,
        signal,
        batchIndex: 0,
      }),
    toError(error, request) {
      const callError = toCallError(error, request)
      if (callError.code === 'internal') {
        const cause = error instanceof TRPCError ? (error.cause ?? error) : error
        log.error({ err: cause, path: request.path }, 'a console procedure failed')
      }
      return callError
    },
  }
}
