import { dirname, resolve } from 'node:path'
import leven from 'leven'
import { z } from 'zod'
import { issueOf, valueAt } from '../../../shared/issue.ts'
import { isBucketAddress } from '../../hosting/bucket/bucket-address.ts'
import { text } from '../strings/config.ts'
import type { FieldProblem, FileProblem } from './file-problem.ts'
import type { Setting } from './setting.ts'
import {
  isSettingName,
  optionOf,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  variableOf,
} from './table.ts'

/**
 * Returns the name that was probably meant: the same but for case and separators, or else the one that the fewest
 * typing mistakes lead to. Undefined if none is near. `wrong` is read up to 64 characters.
 */
function nearestName<Name extends string>(wrong: string, names: readonly Name[]): Name | undefined {
  const typed = bare(wrong.slice(0, MAX_LENGTH))
  const candidates = names
    .map((name) => ({ name, mistakes: leven(typed, bare(name)) }))
    .filter(({ name, mistakes }) => mistakes <= Math.max(SLIPS, name.length * TOLERANCE))
    .toSorted((one, other) => one.mistakes - other.mistakes)
  return candidates[0]?.name
}

/** `tidegate_device-limit` and `deviceLimit` are the same. */
function bare(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z\d]/g, '')
    .replace(/^tidegate/, '')
}

/** Characters that are compared: more than any name has. */
const MAX_LENGTH = 64
/** Typing mistakes allowed in a short name: enough for two swapped letters. */
const SLIPS = 2
/** Typing mistakes allowed in a long name, as a share of its letters. */
const TOLERANCE = 0.4

/** What the fields of a file give: the settings that are right, and every problem. */
export interface FileFields {
  readonly values: ReadonlyMap<SettingName, unknown>
  readonly problems: readonly FileProblem[]
}

/** Reads the fields of a configuration file. Paths in it are relative to the folder of the file. */
export function readFields(file: string, fields: object): FileFields {
  const values = new Map<SettingName, unknown>()
  const problems: FieldProblem[] = []
  for (const [field, value] of Object.entries(fields)) {
    if (field === SCHEMA_FIELD) {
      if (typeof value !== 'string') problems.push(wrong(field, value, text.string))
      continue
    }
    if (!isSettingName(field)) {
      problems.push(unknownField(field))
      continue
    }
    const setting: Setting<unknown> = SETTINGS[field]
    const read = setting.schema.safeParse(value)
    if (setting.isOfProcess) {
      const [option, variable] = [optionOf(field), variableOf(field)]
      problems.push({ code: 'of_process', field, option, variable })
    } else if (!read.success) {
      const { path } = issueOf(read.error, value)
      const { allowed, allowedItem = allowed } = setting
      const wanted = path.length > 0 ? allowedItem : allowed
      const place = [field, ...path].join('.')
      problems.push(
        setting.shown === undefined
          ? wrong(place, valueAt(value, path), wanted)
          : { code: 'wrong', field: place, value: undefined, allowed: wanted },
      )
    } else values.set(field, setting.isPath ? absolute(file, read.data) : read.data)
  }
  return { values, problems }
}

function unknownField(field: string): FieldProblem {
  if (/^data(folder|dir)?$/i.test(field)) return { code: 'data_folder', field }
  if (!SECRET.test(field)) return { code: 'unknown', field, nearest: nearestName(field, WRITABLE) }
  return { code: 'secret', field, file: nearestName(`${field}File`, SECRET_FILES) }
}

const WRITABLE = SETTING_NAMES.filter((name) => {
  const setting: Setting<unknown> = SETTINGS[name]
  return !setting.isOfProcess
})
const SECRET_FILES = WRITABLE.filter((name) => name.endsWith('SecretFile'))
/** Fields that somebody would put a secret into, which is then neither used nor shown. */
const SECRET = /secret|passw|passphrase|token|credential|(api|private)[-_]?key/i
/** Characters of a wrong value that are shown. */
const MAX_SHOWN = 60

/** Shortened, and left out where it looks like key material. */
function wrong(field: string, value: unknown, allowed: string): FieldProblem {
  const written = JSON.stringify(value) ?? String(value)
  const shown = written.length > MAX_SHOWN ? `${written.slice(0, MAX_SHOWN)}…` : written
  return {
    code: 'wrong',
    field,
    value: written.includes('-----BEGIN') ? undefined : shown,
    allowed,
  }
}

function absolute(file: string, path: unknown): unknown {
  const isPath = typeof path === 'string' && !isBucketAddress(path)
  return isPath ? resolve(dirname(file), path) : path
}

/** Names the schema of a file for editors, and has no meaning for the server. */
const SCHEMA_FIELD = '$schema'

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
