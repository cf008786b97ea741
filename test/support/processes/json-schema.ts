import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

const file = join(import.meta.dirname, '../../../docs/cli.schema.json')
const schema = JSON.parse(readFileSync(file, 'utf8'))
const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema(schema, 'cli')

/** Throws unless a document is what docs/cli.schema.json says that the command prints. */
export function expectDescribed(args: readonly string[], document: unknown): void {
  const names = [3, 2, 1].map((length) => args.slice(0, length).join(' '))
  const name = names.find((each) => each in schema.$defs)
  if (name === undefined) throw new Error(`${args.join(' ')} is not described`)
  const validate = ajv.getSchema(`cli#/$defs/${encodeURIComponent(name)}`)
  if (validate?.(document) === true) return
  throw new Error(`${args.join(' ')}: ${ajv.errorsText(validate?.errors)}`)
}
