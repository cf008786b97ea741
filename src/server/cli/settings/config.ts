import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { z } from 'zod'
import { UsageError } from '../command/errors.ts'
import { addLocalCommand, type ReadOptions } from '../command/options.ts'
import { print, printJson, printTable } from '../command/output.ts'
import { dataFolderOf } from '../data/data-folder.ts'
import { describeCommand } from '../documents/described.ts'
import { ConfigCheckDocument, ConfigDocument, SchemaDocument } from '../documents/documents.ts'
import { problemSentence, text } from '../strings/config.ts'
import { requireConsistent } from './consistency.ts'
import { configFileIn, readConfigFile } from './file.ts'
import { fileSchema } from './file-fields.ts'
import { addSettingOptions } from './options.ts'
import { type ReadSettings, readSettings, type Source } from './read.ts'
import { optionOf, SETTING_NAMES, type SettingName, shownValue, variableOf } from './table.ts'

/** `config`. */
export function addConfigCommands(program: Command): void {
  const config = program.command('config').description(text.description)
  const showing = addLocalCommand(config, 'show', text.show.description, ConfigDocument)
  addSettingOptions(showing).action(show)
  const checking = addLocalCommand(config, 'check', text.check.description, ConfigCheckDocument)
  addSettingOptions(checking).argument('[file]', text.check.file).action(check)
  const schema = config.command('schema').description(text.schema.description)
  describeCommand(schema, SchemaDocument)
  schema.action(() => printJson(SchemaDocument, fileSchema()))
}

type Row = z.infer<typeof ConfigDocument>['settings'][number]

function show({ json }: ReadOptions, command: Command): void {
  const settings = readSettings(command)
  const { file, hasFile } = settings
  const rows = [folderRow(settings, command), ...SETTING_NAMES.map((name) => rowOf(settings, name))]
  if (json) {
    printJson(ConfigDocument, { file: { path: file, exists: hasFile }, settings: rows })
    return
  }
  print(hasFile ? text.show.file(file) : text.show.noFile(file))
  print('')
  const cells = rows.map(({ name, value, givenBy }) => [
    name,
    valueInWords(value),
    givenBy ?? text.show.default,
  ])
  printTable(text.show.headings, cells, text.show.none)
}

function rowOf({ values, sourceOf }: ReadSettings, name: SettingName): Row {
  const source = sourceOf(name)
  return { name, value: shownValue(name, values[name]), source, givenBy: GIVERS[source](name) }
}

const GIVERS: Readonly<Record<Source, (name: SettingName) => string | null>> = {
  option: optionOf,
  environment: variableOf,
  file: () => text.show.fromFile,
  default: () => null,
}

/** Not a setting of the file, which is in that folder. */
function folderRow({ dataFolder: value }: ReadSettings, command: Command): Row {
  const given = command.getOptionValueSource('data')
  if (given === 'cli') return { name: 'data', value, source: 'option', givenBy: '--data' }
  if (given === 'env' || process.env.TIDEGATE_USER_DATA) {
    const givenBy = given === 'env' ? 'TIDEGATE_DATA' : 'TIDEGATE_USER_DATA'
    return { name: 'data', value, source: 'environment', givenBy }
  }
  return { name: 'data', value, source: 'default', givenBy: null }
}

function valueInWords(value: unknown): string | null {
  if (value === null) return null
  return Array.isArray(value) ? value.join(', ') : String(value)
}

async function check(
  named: string | undefined,
  { json, ...options }: ReadOptions,
  command: Command,
): Promise<void> {
  const file = named === undefined ? configFileIn(dataFolderOf(options)) : resolve(named)
  const { exists, problems: found } = readConfigFile(file)
  if (named !== undefined && !exists) throw new UsageError(text.check.noSuchFile(file))
  const problems = found.map((problem) => ({
    field: 'field' in problem ? problem.field : null,
    message: problemSentence(problem),
  }))
  if (json) printJson(ConfigCheckDocument, { file, exists, problems })
  else for (const { message } of problems) print(message)
  if (problems.length > 0) throw new UsageError(text.invalid(file, problems.length))
  // Another file would not be read by a server on this folder.
  if (named === undefined) await requireConsistent(readSettings(command))
  if (!json) print(exists ? text.check.valid(file) : text.check.missing(file))
}
