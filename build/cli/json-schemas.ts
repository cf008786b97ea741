import { z } from 'zod'
import { ErrorDocument } from '../../src/server/cli/command/ending.ts'
import type { DocumentedCommand } from './commands.ts'

/** Returns JSON Schema (2020-12) of what every command prints with `--json`, by the name of the command. */
export function jsonSchemas(commands: readonly DocumentedCommand[]): string {
  const documents = commands.flatMap(({ name, document }) =>
    document === undefined ? [] : [[name, document] as const],
  )
  const $defs: Record<string, unknown> = {}
  for (const [name, document] of [...documents, ['error', ErrorDocument] as const]) {
    // What has a name of its own is referred to, from wherever it is used.
    const { $defs: named = {}, ...schema } = schemaOf(document)
    Object.assign($defs, named, { [name]: schema })
  }
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'What the commands of tidegate print with --json',
    $defs,
  }
  return `${JSON.stringify(schema, null, 2)}\n`
}

function schemaOf(document: z.ZodType) {
  const { $schema: _, ...schema } = z.toJSONSchema(document, { io: 'output', reused: 'inline' })
  return schema
}
