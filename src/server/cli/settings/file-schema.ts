import { z } from 'zod'
import { text } from '../strings/config.ts'
import type { Setting } from './setting.ts'
import { optionOf, SETTING_NAMES, SETTINGS, variableOf } from './table.ts'

/** Names the schema of a file for editors, and has no meaning for the server. */
export const SCHEMA_FIELD = '$schema'

/** Returns the JSON Schema (draft 2020-12) of `tidegate.json`, made of the schemas that the server reads it with. */
export function fileSchema(): Readonly<Record<string, unknown>> {
  const fields = SETTING_NAMES.flatMap((name) => {
    const setting: Setting<unknown> = SETTINGS[name]
    if (setting.isOfProcess) return []
    const description = text.fieldDescription(setting.help, optionOf(name), variableOf(name))
    const preset = setting.preset === undefined ? {} : { default: setting.preset }
    return [[name, setting.schema.meta({ description, ...preset }).optional()] as const]
  })
  const shape = Object.fromEntries(fields)
  const file = z
    .strictObject({
      [SCHEMA_FIELD]: z.string().meta({ description: text.schemaField }).optional(),
      ...shape,
    })
    .meta({ title: text.schemaTitle, description: text.schemaDescription })
  return z.toJSONSchema(file, { io: 'input' })
}
