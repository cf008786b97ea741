import type { z } from 'zod'

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
