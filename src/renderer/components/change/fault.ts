import type { z } from 'zod'

/** Returns what is wrong with a text, as a sentence about `subject`; undefined where it can be used. */
export function faultOf(
  schema: z.ZodType<string>,
  text: string,
  subject: string,
): string | undefined {
  if (text === '') return 'Required'
  const read = schema.safeParse(text)
  return read.success ? undefined : `${subject} ${read.error.issues[0]?.message}.`
}
