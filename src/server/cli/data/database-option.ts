import { type Command, Option } from 'commander'
import { databaseUrlProblem } from '../../storage/interface/database-url.ts'
import { UsageError } from '../command/errors.ts'
import { FileName, valid } from '../command/valid.ts'
import { text } from '../strings/config.ts'

/** The options `--database` and `--database-file`, of every command that opens the storage. */
export function addDatabaseOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--database <url>', text.storage.database)
        .argParser(readDatabase)
        .env(VARIABLES.database),
    )
    .addOption(
      new Option('--database-file <file>', text.storage.databaseFile)
        .argParser(valid(FileName))
        .env(VARIABLES.databaseFile),
    )
}

const VARIABLES = { database: 'TIDEGATE_DATABASE', databaseFile: 'TIDEGATE_DATABASE_FILE' } as const

/** Reads the address of a database. Throws `UsageError`, which does not quote it: it may have a password. */
export function readDatabase(typed: string): string {
  return requireDatabaseUrl(typed, `--database or ${VARIABLES.database}`)
}

/** Returns an address that can be used. Throws `UsageError`, which names `givenBy` and does not quote the address. */
export function requireDatabaseUrl(url: string, givenBy: string): string {
  const problem = databaseUrlProblem(url)
  if (problem !== undefined) throw new UsageError(text.storage.wrongDatabase(givenBy, problem))
  return url
}

/** What is given on the command line counts more than what is in the environment. Throws `UsageError` for two addresses. */
export function chooseDatabase(command: Command): void {
  const [url, file] = ['database', 'databaseFile'].map((name) => command.getOptionValueSource(name))
  if (url === undefined || file === undefined) return
  if (url === file) {
    const isEnvironment = url === 'env'
    const names = isEnvironment
      ? [VARIABLES.database, VARIABLES.databaseFile]
      : ['--database', '--database-file']
    throw new UsageError(text.storage.twoDatabases(names))
  }
  command.setOptionValue(url === 'env' ? 'database' : 'databaseFile', undefined)
}
