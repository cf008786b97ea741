import type { Command } from 'commander'
import { StorageError } from '../../storage/interface/storage-error.ts'
import { UsageError } from '../command/errors.ts'
import { report } from '../command/output.ts'
import { type DataOptions, dataFolderOf } from '../data/data-folder.ts'
import { problemSentence, text } from '../strings/config.ts'
import { type ConfigFile, configFileIn, readConfigFile } from './file.ts'
import { optionOf, SETTING_NAMES, type SettingName, type Settings, variableOf } from './table.ts'

export type Source = 'option' | 'environment' | 'file' | 'default'

export interface ReadSettings {
  readonly dataFolder: string
  /** The configuration file, and whether there is one. */
  readonly file: string
  readonly hasFile: boolean
  readonly values: Settings
  sourceOf(name: SettingName): Source
  /** For messages: `--tls-cert`, `TIDEGATE_TLS_CERT` or `tlsCert in /data/tidegate.json`. */
  givenBy(name: SettingName): string
}

/**
 * Reads the settings of a command with `addSettingOptions`: options override environment variables, those the
 * configuration file in the data folder, and that the defaults. Throws `UsageError` for an invalid file, after it has
 * named every problem on stderr, and `StorageError` for one that this account may not read.
 */
export function readSettings(command: Command): ReadSettings {
  const dataFolder = dataFolderOf(command.opts<DataOptions>())
  const config = readConfigFile(configFileIn(dataFolder))
  const { file, exists: hasFile, problems } = config
  requireReadable(config)
  requireNoProblem(file, problems.map(problemSentence))
  for (const name of SETTING_NAMES) {
    if (!config.values.has(name) || isGiven(command, name)) continue
    if (DATABASE.includes(name) && DATABASE.some((each) => isGiven(command, each))) continue
    command.setOptionValueWithSource(name, config.values.get(name), 'config')
  }
  const sourceOf = (name: SettingName) => sourceIn(command, name)
  return {
    dataFolder,
    file,
    hasFile,
    values: command.opts<Settings>(),
    sourceOf,
    givenBy: (name) => {
      const source = sourceOf(name)
      if (source === 'file') return text.fieldOf(name, file)
      return source === 'environment' ? variableOf(name) : optionOf(name)
    },
  }
}

/** Throws `StorageError` for a file that this account may not read. */
export function requireReadable({ file, problems }: ConfigFile): void {
  for (const problem of problems) {
    // Not wrong settings: the account is the wrong one, and cannot open the database in that folder either.
    if (problem.code !== 'denied') continue
    throw new StorageError({ code: 'unwritable', file, detail: problem.reason })
  }
}

/** Throws `UsageError` if there is a problem, after it has named all of them on stderr. */
function requireNoProblem(file: string, problems: readonly string[]): void {
  if (problems.length === 0) return
  for (const problem of problems) report(text.problem(problem))
  throw new UsageError(text.invalidFile(file, problems.length))
}

/** Whichever of them is given, the file has no say. */
const DATABASE: readonly SettingName[] = ['database', 'databaseFile']

function isGiven(command: Command, name: SettingName): boolean {
  const source = sourceIn(command, name)
  return source === 'option' || source === 'environment'
}

function sourceIn(command: Command, name: SettingName): Source {
  if (command.getOptionValue(name) === undefined) return 'default'
  return SOURCES.get(command.getOptionValueSource(name)) ?? 'default'
}

const SOURCES = new Map<unknown, Source>([
  ['cli', 'option'],
  ['env', 'environment'],
  ['config', 'file'],
])

const PREFIX = 'TIDEGATE_'
/** What is no setting. */
const OTHERS = [
  'DATA',
  'USER_DATA',
  'DEBUG',
  'SERVER',
  'KEY',
  'KEY_FILE',
  'FINGERPRINT',
  'PLAIN_HTTP',
]
/** What Kubernetes sets in every container beside a service with the name `tidegate`, and what tests set. */
const FOREIGN = /^TIDEGATE_(?:SERVICE_|PORT_\d|TEST_)/

/** Returns the variables of an environment that look like settings and are none. */
export function unknownVariables(environment: NodeJS.ProcessEnv): string[] {
  const known = new Set([
    ...SETTING_NAMES.map(variableOf),
    ...OTHERS.map((name) => `${PREFIX}${name}`),
  ])
  return Object.keys(environment).filter(
    (name) => name.startsWith(PREFIX) && !known.has(name) && !FOREIGN.test(name),
  )
}
