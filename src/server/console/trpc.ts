import { initTRPC } from '@trpc/server'
import type { Principal } from '../use-cases/principal.ts'
import type { Updates } from '../use-cases/updates.ts'
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

/** A use case that takes who calls, one input or none, and what ends the call, if it takes long. */
type UseCase = (principal: Principal, input: never, signal: AbortSignal | undefined) => unknown

type Named = {
  [Name in keyof Updates]: Updates[Name] extends UseCase ? Name : never
}[keyof Updates]

interface Call<Name extends Named> {
  readonly ctx: { readonly updates: Pick<Updates, Name>; readonly principal: Principal }
  readonly input: Parameters<Updates[Name]>[1]
  readonly signal: AbortSignal | undefined
}

/** Returns the resolver of a procedure that is a use case: it calls the use case of that name with the input, as who calls. */
export function byUseCase<Name extends Named>(name: Name) {
  return ({ ctx: { updates, principal }, input, signal }: Call<Name>): ReturnType<Updates[Name]> =>
    Reflect.apply(updates[name], undefined, [principal, input, signal])
}

/** Returns the resolver of a procedure that a function answers from the context and the input. */
export function by<Context, Input, Output>(answer: (ctx: Context, input: Input) => Output) {
  return ({ ctx, input }: { readonly ctx: Context; readonly input: Input }) => answer(ctx, input)
}
