import { InvalidArgumentError } from 'commander'
import { z } from 'zod'
import { issueOf } from '../../shared/issue.ts'
import { text as words } from './strings/common.ts'

/** Rejects the empty text that a script passes for an unset variable. */
export const FileName = z.string().min(1, words.notEmpty)

/** Reads an argument or an option by its schema. */
export function valid<Schema extends z.ZodType>(
  schema: Schema,
): (text: string) => z.output<Schema> {
  return (text) => parse(schema, text)
}

/** Reads a whole number by its schema. */
export function validNumber<Schema extends z.ZodType>(
  schema: Schema,
): (text: string) => z.output<Schema> {
  return (text) => {
    if (!/^-?\d{1,15}$/.test(text)) throw new InvalidArgumentError(words.wholeNumber)
    return parse(schema, Number(text))
  }
}

/** Reads an option that may be given several times. */
export function several<Value>(
  read: (text: string) => Value,
): (text: string, previous: readonly Value[] | undefined) => readonly Value[] {
  return (text, previous = []) => [...previous, read(text)]
}

/** Parses a boolean, which a variable can turn off as well as on. */
export function onOrOff(text: string): boolean {
  if (text === 'true' || text === '1') return true
  if (text === 'false' || text === '0') return false
  throw new InvalidArgumentError(words.trueOrFalse)
}

function parse<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  throw new InvalidArgumentError(words.it(issueOf(result.error, input).reason))
}
