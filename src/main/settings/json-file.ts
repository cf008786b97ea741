import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { z } from 'zod'
import { whileHeldSync } from '../../shared/basics/held-file.ts'
import { parsedJson } from '../../shared/basics/parsed-json.ts'

/**
 * Reads a JSON file by its schema. A file that is missing is read as `{}`; one that is broken is
 * kept aside as `<file>.broken` and read as `{}` too, so the schema must have a default for all.
 * Throws the file system's error when the file cannot be read or moved aside.
 */
export function readJsonFile<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
  onBroken: (aside: string) => void = () => {},
): z.output<Schema> {
  const text = readText(file)
  if (text === undefined) return schema.parse({})
  restrict(file)
  const result = schema.safeParse(parsedJson(text))
  if (result.success) return result.data
  const aside = `${file}.broken`
  whileHeldSync(process.platform, () => renameSync(file, aside))
  onBroken(aside)
  return schema.parse({})
}

/** Like `readJsonFile`, but also reads a file that cannot be read as `{}`. */
export function readOptionalJsonFile<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
): z.output<Schema> {
  try {
    return readJsonFile(file, schema)
  } catch {
    return schema.parse({})
  }
}

/** How a file takes the place of another one. */
interface Renaming {
  readonly platform: string
  rename(from: string, to: string): void
}

/**
 * Writes a JSON file atomically, readable by this account only, and creates its folder if it is
 * missing.
 */
export function writeJsonFile(
  file: string,
  value: unknown,
  { platform, rename }: Renaming = { platform: process.platform, rename: renameSync },
): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.new`
  // A file left by a crash would keep its permissions.
  rmSync(draft, { force: true })
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { flush: true, mode: 0o600 })
  whileHeldSync(platform, () => rename(draft, file))
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Earlier versions left the file readable by others. */
function restrict(file: string): void {
  if (process.platform === 'win32') return
  try {
    chmodSync(file, 0o600)
  } catch {
    // The permissions of another account's file are up to that account.
  }
}
