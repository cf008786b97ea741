import { z } from 'zod'

/**
 * - `invalid`: the input is wrong
 * - `unknown`: the app, channel, release, key or device does not exist
 * - `duplicate`: it already exists
 * - `rolled_back`: a rolled-back release can never be served again
 * - `conflict`: devices would not get what the change promises
 * - `forbidden`: the caller may not do it: the role is too low, or another person has to agree
 * - `invariant`: the state of the server does not allow the change
 * - `unauthenticated`: who calls is not signed in, or could not be signed in
 * - `limited`: too many attempts; the facts say when the next one is accepted
 * - `temporary`: something that the server depends on cannot be used now; the same call can succeed later
 */
export const RefusalKind = z.enum([
  'invalid',
  'forbidden',
  'unknown',
  'duplicate',
  'rolled_back',
  'conflict',
  'invariant',
  'unauthenticated',
  'limited',
  'temporary',
])
export type RefusalKind = z.infer<typeof RefusalKind>

/** The schemas of refusals, by their kind. */
export type Refusals = Readonly<
  Partial<Record<RefusalKind, readonly z.ZodObject<{ code: z.ZodLiteral<string> }>[]>>
>

/** The facts of the refusals in a table. */
export type RefusalOf<Table extends Refusals> = z.infer<
  Extract<Table[keyof Table], readonly z.ZodType[]>[number]
>

/** Returns the schema of a refusal: its code, and what its sentence is made of. */
export function refusal<Code extends string, Facts extends z.core.$ZodShape>(
  code: Code,
  facts: Facts,
) {
  return z.strictObject({ code: z.literal(code), ...facts })
}
