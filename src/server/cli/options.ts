import { type Command, InvalidArgumentError, Option } from 'commander'
import { z } from 'zod'
import { issueOf } from '../../shared/issue.ts'
import { type DataOptions, usualDataFolder } from './data-folder.ts'
import { text as words } from './strings/common.ts'

/** Rejects the empty text that a script passes for an unset variable. */
export const FileName = z.string().min(1, words.notEmpty)

/** The options of commands that show something. */
export interface ReadOptions extends DataOptions {
  readonly json?: boolean
}

/** Adds a command, such as `create <ref>`, with the options that every command has. */
export function addCommand(parent: Command, usage: string, description: string): Command {
  const data = new Option('--data <dir>', words.dataOption(usualDataFolder().folder))
    .argParser(valid(FileName))
    .env('TIDEGATE_DATA')
  return parent.command(usage).description(description).addOption(data)
}

/** The same for a command that shows something. */
export function addReadCommand(parent: Command, usage: string, description: string): Command {
  return addCommand(parent, usage, description).option('--json', words.jsonOption)
}

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

function parse<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  throw new InvalidArgumentError(words.it(issueOf(result.error, input).reason))
}
