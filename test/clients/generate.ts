import { readFileSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'

// `node generate.ts <description> <folder>`: makes the types of openapi-typescript (`types.ts`) and
// the client of @hey-api/openapi-ts (`sdk/`) from an API description.

const OLDER_TYPESCRIPT = new URL('typescript.ts', import.meta.url).href
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'typescript' ? OLDER_TYPESCRIPT : specifier, context),
})
// Imported once the hook is there.
const { default: openapiTS, astToString } = await import('openapi-typescript')
const { createClient } = await import('@hey-api/openapi-ts')

const [description = '', folder = ''] = process.argv.slice(2)
const document = JSON.parse(readFileSync(description, 'utf8'))
writeFileSync(join(folder, 'types.ts'), astToString(await openapiTS(document)))
await createClient({
  input: document,
  output: { path: join(folder, 'sdk') },
  logs: { level: 'silent' },
})
