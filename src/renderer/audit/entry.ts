import type { inferRouterOutputs } from '@trpc/server'
import type { z } from 'zod'
import type { AppRouter } from '../../server/console/router.ts'

/** A page of the audit log as it reaches the page: JSON has no place for what is undefined. */
type AuditPage = inferRouterOutputs<AppRouter>['audit']['list']

/** One change: who made it, what it was about, and what it was before and after. */
export type AuditEntry = AuditPage['entries'][number]

/** The part of a change that says what was done. */
export type Change = Pick<AuditEntry, 'action' | 'before' | 'after'>

/** Returns the sentence for a change; undefined where its states cannot be read. */
export type Words = (before: unknown, after: unknown) => string | undefined

/** Returns the words for a value that has the shape; undefined for any other. */
export function whenRead<Shape>(
  schema: z.ZodType<Shape>,
  value: unknown,
  words: (shape: Shape) => string | undefined,
): string | undefined {
  const read = schema.safeParse(value)
  return read.success ? words(read.data) : undefined
}
