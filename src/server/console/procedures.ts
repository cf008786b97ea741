import { callTRPCProcedure, TRPCError } from '@trpc/server'
import type { Logger } from 'pino'
import { type Procedures, procedureCall } from '../../shared/console/bridge/procedures.ts'
import { accountName } from '../runtime/account.ts'
import { FULL_ACCESS } from '../use-cases/access.ts'
import { type Principal, personOfUser } from '../use-cases/principal.ts'
import { forPrincipal, type SharedConsoleContext } from './context.ts'
import type { CallerSession } from './reach.ts'
import { consoleRouter, toCallError } from './router.ts'

/** The console's router for a principal, the desktop app by default. The cause of an `internal` error goes to the log alone. */
export function consoleProcedures(
  shared: SharedConsoleContext,
  log: Logger,
  principal = desktopPrincipal(),
  session: CallerSession | null = null,
): Procedures {
  const ctx = forPrincipal(shared, principal, session)
  return {
    run: (run) => callTRPCProcedure({ router: consoleRouter, ctx, ...procedureCall(run) }),
    toError(error, request) {
      const callError = toCallError(error, request)
      if (callError.code === 'internal') {
        const cause = error instanceof TRPCError ? (error.cause ?? error) : error
        log.error({ err: cause, path: request.path }, 'console procedure failed')
      }
      return callError
    },
  }
}

/** Returns who the desktop app acts as on its own server: the account on this computer, which may do everything. */
export function desktopPrincipal(): Principal {
  const name = accountName()
  const actor = { kind: 'console', name } as const
  return { actor, access: FULL_ACCESS, seesArchived: true, person: personOfUser(name) }
}
