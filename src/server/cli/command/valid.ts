import { InvalidArgumentError } from 'commander'
import { z } from 'zod'
import { parsedBy } from '../../../shared/issue.ts'
import { RolloutPct } from '../../../shared/names.ts'
import { text as words } from '../strings/common.ts'
import { text as rollout } from '../strings/rollout.ts'

/** Rejects the empty text that a script passes for an unset variable. */
export const FileName = z.string().min(1, words.notEmpty)

/** Reads an argument or an option by its schema. */
export function valid<Schema extends z.ZodType>(
  schema: Schema,
): (input: unknown) => z.output<Schema> {
  return (input) => parse(schema, input)
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

/** Reads a percentage by its schema, with or without its sign. */
export function validPercentage(schema: z.ZodType<number>): (text: string) => number {
  const read = validNumber(schema)
  return (text) => read(text.replace(/%$/, ''))
}

/** Reads a percentage from 0 to 100, with or without its sign. */
export const percentage = validPercentage(RolloutPct)

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }
/** Seconds of the longest duration: 30 days, which fit a timer. */
const LONGEST = 30 * 86_400

/** Reads a duration such as `90s`, `30m`, `2h` or `1d`, as seconds from 1 second to 30 days. */
export function duration(typed: string): number {
  const [, amount = '', unit = ''] = /^(\d{1,7})([smhd])$/.exec(typed) ?? []
  const seconds = Number(amount) * (SECONDS[unit] ?? 0)
  if (seconds >= 1 && seconds <= LONGEST) return seconds
  throw new InvalidArgumentError(rollout.durationForm)
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
  return parsedBy(schema, input, ({ reason }) => new InvalidArgumentError(words.it(reason)))
}
