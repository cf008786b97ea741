import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isBare } from '../bare.ts'

/** Where Debian installs the programs of each version. */
const DEBIAN = '/usr/lib/postgresql'

/** Returns the folder of the programs of the latest version of PostgreSQL; undefined if none is installed. */
export function postgresPrograms(): string | undefined {
  const versions = !isBare && existsSync(DEBIAN) ? readdirSync(DEBIAN).sort() : []
  const version = versions.at(-1)
  return version === undefined ? undefined : join(DEBIAN, version, 'bin')
}
