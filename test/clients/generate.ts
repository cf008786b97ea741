import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@hey-api/openapi-ts'
import openapiTS, { astToString } from 'openapi-typescript'

// `node generate.ts <description> <folder>`: makes the types of openapi-typescript (`types.ts`) and
// the client of @hey-api/openapi-ts (`sdk/`) from an API description.

const [description = '', folder = ''] = process.argv.slice(2)
const document = JSON.parse(readFileSync(description, 'utf8'))
writeFileSync(join(folder, 'types.ts'), astToString(await openapiTS(document)))
await createClient({
  input: document,
  output: { path: join(folder, 'sdk') },
  logs: { level: 'silent' },
})
