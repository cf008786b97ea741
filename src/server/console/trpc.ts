import { initTRPC } from '@trpc/server'
import type { ConsoleContext } from './context.ts'
import { formatCallError } from './errors.ts'
import { guarded } from './guarded.ts'

/** Routers and procedures over that context. */
const trpc = initTRPC
  .context<ConsoleContext>()
  .create({ errorFormatter: formatCallError, isDev: false })

export const { router } = trpc

export const procedure = trpc.procedure.use(({ ctx, path, type, next, getRawInput }) =>
  guarded({ ...ctx, path, type, input: getRawInput, next }),
)
