import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { locateDataFolder } from '../../../shared/operation/data-folder.ts'

/** The options of every command: the data folder and the database. */
export interface DataOptions {
  readonly data?: string
  /** The address of a PostgreSQL database, with its password. */
  readonly database?: string
  /** A file with that address. */
  readonly databaseFile?: string
}

/** Returns the data folder of a command as an absolute path: `--data`, or the folder of the account. */
export function dataFolderOf({ data = usualDataFolder() }: DataOptions): string {
  return resolve(data)
}

/** The data folder of this account. */
export function usualDataFolder(): string {
  const { platform, env } = process
  return locateDataFolder({ platform, env, home: homedir() })
}
