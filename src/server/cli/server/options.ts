import { readFileSync } from 'node:fs'
import { type Command, Option } from 'commander'
import { readAddress } from '../../../remote/address.ts'
import type { Endpoint } from '../../../remote/trusted-socket.ts'
import { Fingerprint } from '../../../shared/console/desktop/remote-servers.ts'
import { Failure, UsageError } from '../command/errors.ts'
import { FileName, onOrOff, valid } from '../command/valid.ts'
import { type DataOptions, usualDataFolder } from '../data/data-folder.ts'
import { addDatabaseOptions, chooseDatabase } from '../data/database-option.ts'
import { text as common } from '../strings/common.ts'
import { text } from '../strings/server.ts'

/** Bytes of a file with an API key that are read at most. */
const MAX_KEY = 4_096

/** Where a command works: on a storage that this computer reaches, or on a server over the network. */
export interface ServerOptions extends DataOptions {
  /** The address of the server, without a slash at its end. */
  readonly server?: string
  readonly keyFile?: string
  readonly fingerprint?: Fingerprint
  readonly plainHttp?: boolean
}

/** The option `--data`, of every command. */
export function dataOption(): Option {
  return new Option('--data <dir>', common.dataOption(usualDataFolder()))
    .argParser(valid(FileName))
    .env('TIDEGATE_DATA')
}

/** Adds `--data`, `--database`, `--server` and what belongs to it. */
export function addServerOptions(command: Command): Command {
  return addDatabaseOptions(command.addOption(dataOption()))
    .addOption(
      new Option('--server <url>', text.serverOption)
        .helpGroup(text.group)
        .argParser(serverAddress)
        .env('TIDEGATE_SERVER'),
    )
    .addOption(
      new Option('--key-file <file>', text.keyFileOption)
        .helpGroup(text.group)
        .argParser(valid(FileName))
        .env('TIDEGATE_KEY_FILE'),
    )
    .addOption(fingerprintOption())
    .addOption(plainHttpOption())
    .hook('preAction', (_, action) => chooseTarget(action))
}

/** The option `--fingerprint`. */
export function fingerprintOption(): Option {
  return new Option('--fingerprint <sha256>', text.fingerprintOption)
    .helpGroup(text.group)
    .argParser(valid(Fingerprint))
    .env('TIDEGATE_FINGERPRINT')
}

/** The option `--plain-http`. */
export function plainHttpOption(): Option {
  return new Option('--plain-http [true|false]', text.plainHttpOption)
    .helpGroup(text.group)
    .argParser(onOrOff)
    .env('TIDEGATE_PLAIN_HTTP')
}

/** Throws `UsageError` for an address without encryption on another computer, unless that is allowed. */
export function requireEncryption(server: string, { plainHttp = false }: ServerOptions): void {
  const address = readAddress(server)
  if (address === undefined || address.isEncrypted || address.isLoopback || plainHttp) return
  throw new UsageError(text.plainHttp(server))
}

/** Adds `--data` and `--database` to a command that works on this computer only, and says so if `--server` is given. */
export function addLocalOptions(command: Command): Command {
  const refused = new Option('--server <url>').hideHelp().argParser(() => {
    throw new UsageError(text.localOnly(command.name()))
  })
  return addDatabaseOptions(command.addOption(dataOption()))
    .addOption(refused)
    .hook('preAction', (_, action) => chooseDatabase(action))
}

/** Reads the address of a server; throws `UsageError`. */
export function serverAddress(typed: string): string {
  const address = readAddress(typed)
  if (address === undefined) throw new UsageError(text.wrongAddress(typed))
  return address.url
}

const LOCAL = ['data', 'database', 'databaseFile'] as const
const OPTIONS = { data: '--data', database: '--database', databaseFile: '--database-file' } as const
const VARIABLES = {
  ...{ data: 'TIDEGATE_DATA', database: 'TIDEGATE_DATABASE' },
  databaseFile: 'TIDEGATE_DATABASE_FILE',
} as const

/** What is given on the command line counts more than what is in the environment. */
function chooseTarget(command: Command): void {
  chooseDatabase(command)
  const given = LOCAL.filter((name) => command.getOptionValue(name) !== undefined)
  const server = command.getOptionValueSource('server')
  const [first] = given
  if (first === undefined || server === undefined) return
  const onLine = given.find((name) => command.getOptionValueSource(name) === 'cli')
  const local = onLine === undefined ? 'env' : 'cli'
  if (local === server) {
    const name = onLine ?? first
    const names =
      local === 'env' ? [VARIABLES[name], 'TIDEGATE_SERVER'] : [OPTIONS[name], '--server']
    throw new UsageError(text.twoTargets(names, local === 'env'))
  }
  for (const name of local === 'env' ? given : ['server']) command.setOptionValue(name, undefined)
}

/** Returns where a server is, and which certificate it must have. */
export function endpointOf(url: string, fingerprint: Endpoint['pin']): Endpoint {
  return { url, pin: url.startsWith('https:') ? fingerprint : null }
}

/** The API key of the environment or of `--key-file`. Never an option: others see those in the list of processes. */
export function keyOf({ keyFile }: ServerOptions): string | undefined {
  if (keyFile === undefined) {
    // Secrets of pipelines often end in a line break, which no header may have.
    const given = process.env.TIDEGATE_KEY?.trim()
    return given === '' ? undefined : given
  }
  const key = readFileSync(keyFile, 'utf8').slice(0, MAX_KEY).trim()
  if (key === '') throw new Failure(text.emptyKeyFile(keyFile))
  return key
}
