import { initTRPC } from '@trpc/server'
import type { Catalog } from '../catalog/catalog.ts'
import type { FleetReads } from '../fleet/store.ts'
import type { CallRepeat, RepeatedCalls } from '../runtime/async/repeated-calls.ts'
import type { CommandUpdates } from '../use-cases/command-updates.ts'
import type { Contact } from '../use-cases/contact.ts'
import type { Principal } from '../use-cases/principal.ts'
import { formatCallError } from './errors.ts'
import { guarded } from './guarded.ts'
import type { CallerSession } from './reach.ts'

/** What procedures need that the command line calls, too: a running server has it, and so has a database that a command opened. */
export interface CommandContext {
  readonly catalog: Catalog
  readonly fleet: FleetReads
  readonly updates: CommandUpdates
  /** Undefined where no server runs. */
  readonly contact?: Contact | undefined
  /** Of the console for browsers; null if it is offered to nobody. */
  readonly consoleAddress: string | null
  /** Who calls. Decides what a procedure shows, and whether it is refused. */
  readonly principal: Principal
  /** That the call comes with; null for the person at the computer. */
  readonly session: CallerSession | null
  /** The name of a change that is carried out once, however often it is called; null for one that has none. */
  readonly repeat?: CallRepeat | null | undefined
  readonly repeats?: RepeatedCalls | undefined
}

const trpc = initTRPC
  .context<CommandContext>()
  .create({ errorFormatter: formatCallError, isDev: false })

export const commandRouterOf = trpc.router

/** A procedure that the command line calls as well as the console. */
export const commandProcedure = trpc.procedure.use(({ ctx, path, type, next, getRawInput }) =>
  guarded({ ...ctx, path, type, input: getRawInput, next }),
)
