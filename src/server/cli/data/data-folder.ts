import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { type DataFolder, locateDataFolder } from '../../../shared/operation/data-folder.ts'
import { severalDatabasesSentence } from '../../../shared/wording/operation/start-failure.ts'
import { Failure } from '../command/errors.ts'

/** The options of every command: the data folder and the database. */
export interface DataOptions {
  readonly data?: string
  /** The address of a PostgreSQL database, with its password. */
  readonly database?: string
  /** A file with that address. */
  readonly databaseFile?: string
}

/**
 * Returns the data folder of a command as an absolute path: `--data`, or the folder of the account.
 * Throws `Failure` when the account has several databases and none was chosen.
 */
export function dataFolderOf({ data }: DataOptions): string {
  if (data !== undefined) return resolve(data)
  const { folder, others } = usualDataFolder()
  if (others.length > 0) throw new Failure(severalDatabasesSentence([folder, ...others]))
  return resolve(folder)
}

/** The data folder of this account. */
export function usualDataFolder(): DataFolder {
  const { platform, env } = process
  const stat = (file: string) => statSync(file, { bigint: true })
  return locateDataFolder({ platform, env, home: homedir(), stat })
}
