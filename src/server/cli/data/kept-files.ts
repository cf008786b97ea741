import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import type { StorageEngine } from '../../storage/interface/engine.ts'
import type { ReadOptions } from '../command/options.ts'
import { configFileIn, readConfigFile } from '../settings/file.ts'
import { optionOf, variableOf } from '../settings/table.ts'
import { text } from '../strings/database.ts'
import { dataFolderOf } from './data-folder.ts'

/** The options of a command that also works with the files that a server stores. */
export interface FilesOptions extends ReadOptions {
  readonly withFiles?: boolean
  readonly artifacts?: string
}

/** Adds the options for stored files. Returns the command. */
export function addFilesOptions(command: Command, help: string): Command {
  const artifacts = new Option(`${optionOf('artifacts')} <dir>`, text.files.artifacts)
  return command
    .option('--with-files', help)
    .addOption(artifacts.env(variableOf('artifacts')).argParser((path) => resolve(path)))
}

/** Returns where the server stores files: as given, as the running server has it, or as configured; undefined for nowhere. */
export async function keptFolderOf(
  options: FilesOptions,
  engine: StorageEngine,
): Promise<string | undefined> {
  const ofServer = (await engine.holder())?.keptFiles?.folder
  const given = options.artifacts ?? ofServer
  if (given !== undefined) return given
  const inFile = readConfigFile(configFileIn(dataFolderOf(options))).values.get('artifacts')
  return typeof inFile === 'string' ? inFile : undefined
}
