import type { StorageConfig } from '../../storage/interface/engine.ts'
import { UsageError } from '../command/errors.ts'
import { configFileIn, readConfigFile } from '../settings/file.ts'
import { type ReadSettings, requireReadable } from '../settings/read.ts'
import { secretIn } from '../settings/secret-file.ts'
import { problemSentence, text } from '../strings/config.ts'
import { type DataOptions, dataFolderOf } from './data-folder.ts'
import { requireDatabaseUrl } from './database-option.ts'

/** The settings that choose the database. */
const FIELDS: ReadonlySet<string> = new Set(['database', 'databaseFile'])

/**
 * Returns the storage of a command: as the options and variables have it, or else the configuration file in the data
 * folder. Throws `UsageError` for a database that is not named properly, `StorageError` for a configuration file that this
 * account may not read, and `Failure` as `dataFolderOf` does.
 */
export function storageOf(options: DataOptions): StorageConfig {
  const dataFolder = dataFolderOf(options)
  const { database, databaseFile } = options
  if (database !== undefined) return { dataFolder, database }
  if (databaseFile !== undefined) {
    return { dataFolder, database: databaseIn(databaseFile, '--database-file') }
  }
  return { dataFolder, database: configuredIn(dataFolder) }
}

/** Returns the database of the settings of a server. Throws `UsageError`. */
export function databaseOf({ values, givenBy }: ReadSettings): string | undefined {
  const { database, databaseFile } = values
  if (databaseFile === undefined) return database
  if (database !== undefined) throw twice()
  return databaseIn(databaseFile, givenBy('databaseFile'))
}

function configuredIn(dataFolder: string): string | undefined {
  const read = readConfigFile(configFileIn(dataFolder))
  requireReadable(read)
  const { file, values, problems } = read
  // A file that cannot be read may name a database other than the one in the folder.
  const problem = problems.find((each) => !('field' in each) || FIELDS.has(each.field))
  if (problem !== undefined) {
    throw new UsageError(text.inFile(file, problemSentence(problem)))
  }
  const [database, databaseFile] = [values.get('database'), values.get('databaseFile')]
  if (typeof databaseFile !== 'string') {
    return typeof database === 'string' ? database : undefined
  }
  if (database !== undefined) throw twice()
  return databaseIn(databaseFile, text.fieldOf('databaseFile', file))
}

function databaseIn(file: string, givenBy: string): string {
  return requireDatabaseUrl(secretIn(file, givenBy), text.contentOf(givenBy, file))
}

function twice(): UsageError {
  return new UsageError(text.storage.twoDatabases(['database', 'databaseFile']))
}
