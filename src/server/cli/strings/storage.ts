import type { DatabaseUrlProblem } from '../../storage/interface/database-url.ts'

/** Texts of the options that choose the storage. */
export const text = {
  database:
    'PostgreSQL database, as postgres://USER@HOST/NAME (default: SQLite in the data folder)',
  databaseFile: 'File with that address, when it includes a password',
  nodeName: 'Name of this node of a PostgreSQL database (default: the host name)',
  wrongDatabase: (givenBy: string, problem: DatabaseUrlProblem) =>
    `${givenBy} ${PROBLEMS[problem]}`,
  twoDatabases: ([one = '', other = '']: readonly string[]) =>
    `${one} and ${other} cannot be used together`,
  databaseWithoutPassword:
    'a PostgreSQL address without a password, such as postgres://tidegate@db.example.com/tidegate; put an address with a password into a file of its own and set databaseFile to its path',
} as const

const PROBLEMS: Readonly<Record<DatabaseUrlProblem, string>> = {
  scheme: 'must begin with postgres:// or postgresql://',
  address:
    'is not an address such as postgres://USER@HOST/NAME; encode special characters of the password, such as # as %23',
  place:
    'names no host; use postgres://USER@HOST/NAME, or postgres://USER@/NAME?host=/run/postgresql for a socket',
  name: 'names no database; add its name after the host, as in postgres://USER@HOST/NAME',
  tls: 'has an unknown sslmode; use disable, verify-full or no-verify',
}
