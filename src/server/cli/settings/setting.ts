import { z } from 'zod'
import { type NumberBounds, serverNumber } from '../../../shared/operation/server-numbers.ts'
import { isBucketAddress, readBucketAddress } from '../../hosting/bucket/bucket-address.ts'
import {
  databaseUrlProblem,
  hasPassword,
  locationOf,
} from '../../storage/interface/database-url.ts'
import { FileName, onOrOff, valid, validNumber } from '../command/valid.ts'
import { readDatabase } from '../data/database-option.ts'
import { text } from '../strings/config.ts'

/** A setting of `serve`, from which its option, environment variable, field in the file and help are made. */
export interface Setting<Value> {
  /** Placeholder of the option's value, such as `<port>`. */
  readonly argument: string
  readonly help: string
  /** The default; undefined for a setting without one. */
  readonly preset: Value
  /** What the file may have, for the person who writes it: completes "must be …". */
  readonly allowed: string
  /** The same for one entry of an array. */
  readonly allowedItem?: string
  /** The field in the file. */
  readonly schema: z.ZodType<Value>
  /** Values of the option that its help lists. */
  readonly choices?: readonly string[]
  /** Names a file or folder: relative to the working folder as an option, to the data folder in the file. */
  readonly isPath?: true
  /** Returns the value as people may see it, for one that may contain a secret. A wrong value is not shown at all. */
  shown?(value: Value): string | null
  /** Belongs to how one process is started, so the file cannot have it. */
  readonly isOfProcess?: true
  /** Reads the option or the variable; `previous` is what an option given before had. Throws `InvalidArgumentError`. */
  read(text: string, previous: Value): Value
}

/** A whole number, as bounded as in the server. */
export function number(argument: string, bounds: NumberBounds, help: string): Setting<number> {
  const schema = serverNumber(bounds).unwrap()
  const { min, max, default: preset } = bounds
  const allowed = 'unbounded' in bounds ? text.numberFrom(min) : text.numberBetween(min, max)
  return { argument, help, preset, allowed, schema, read: validNumber(schema) }
}

/** True or false, which a variable can turn off as well as on. */
export function flag(help: string): Setting<boolean> {
  const [allowed, read] = [text.trueOrFalse, onOrOff] as const
  return { argument: '[true|false]', help, preset: false, allowed, schema: z.boolean(), read }
}

/** One of a few words. */
export function choice<Word extends string>(
  argument: string,
  choices: readonly Word[],
  preset: NoInfer<Word>,
  help: string,
): Setting<Word> {
  const schema = z.enum(choices)
  const read = valid(schema)
  return { argument, help, preset, allowed: text.oneOf(choices), schema, choices, read }
}

/** A text with a default. */
export function word(
  argument: string,
  schema: z.ZodType<string>,
  preset: string,
  help: string,
): Setting<string> {
  return { argument, help, preset, allowed: text.nonEmpty, schema, read: valid(schema) }
}

/** A text that can be missing. */
export function optional(
  argument: string,
  schema: z.ZodType<string>,
  help: string,
  allowed: string = text.nonEmpty,
): Setting<string | undefined> {
  return { argument, help, preset: undefined, allowed, schema, read: valid(schema) }
}

/** The path of a file or folder. */
export function path(argument: string, help: string): Setting<string | undefined> {
  // A key or certificate itself starts like this, and belongs in a file of its own.
  const schema = FileName.max(MAX_PATH).regex(/^(?!\s*-----BEGIN)[^\0\r\n]*$/)
  const read = valid(FileName)
  return { argument, help, preset: undefined, allowed: text.path, schema, isPath: true, read }
}

/** The path of a folder, or the address of a bucket. */
export function folderOrBucket(argument: string, help: string): Setting<string | undefined> {
  const folder = path(argument, help)
  const schema = folder.schema.refine(
    (value) => value === undefined || !isBucketAddress(value) || readBucketAddress(value),
    text.bucketAddress,
  )
  const read = valid(schema)
  return { ...folder, allowed: text.folderOrBucket, schema, read }
}

/** The address of a database, which has a password in an option or variable only. */
export function database(argument: string, help: string): Setting<string | undefined> {
  const schema = z
    .string()
    .max(MAX_PATH)
    .regex(/^postgres(ql)?:\/\//)
    .refine((url) => databaseUrlProblem(url) === undefined && !hasPassword(url))
  const shown = (url: string | undefined) => (url === undefined ? null : locationOf(url))
  const allowed = text.storage.databaseWithoutPassword
  return { argument, help, preset: undefined, allowed, schema, shown, read: readDatabase }
}

/** Several texts: in an option or variable separated by commas, in the file an array. */
export function list(
  argument: string,
  item: z.ZodType<string>,
  help: string,
  { all, each }: { readonly all: string; readonly each: string },
  readAll: (named: readonly string[]) => readonly string[],
): Setting<readonly string[] | undefined> {
  const schema = z.array(item).max(MAX_ITEMS)
  const read = (value: string, previous: readonly string[] = []) => {
    return [...previous, ...readAll(value.split(',').map((part) => part.trim()))]
  }
  return { argument, help, preset: undefined, allowed: all, allowedItem: each, schema, read }
}

/** Characters of a path. */
const MAX_PATH = 4_096
/** Proxies or names in one setting. */
const MAX_ITEMS = 1_000
