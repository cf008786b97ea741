import { type Command, Option } from 'commander'
import { readAddress } from '../../../remote/address.ts'
import { Fingerprint } from '../../../shared/console/remote-servers.ts'
import { usualDataFolder } from '../data-folder.ts'
import { UsageError } from '../errors.ts'
import { text as common } from '../strings/common.ts'
import { text } from '../strings/server.ts'
import { FileName, onOrOff, valid } from '../valid.ts'

/** Where a command works: on a data folder of this computer, or on a server over the network. */
export interface ServerOptions {
  readonly data?: string
  /** The address of the server, without a slash at its end. */
  readonly server?: string
  readonly keyFile?: string
  readonly fingerprint?: Fingerprint
  readonly plainHttp?: boolean
}

/** The option `--data`, of every command. */
export function dataOption(): Option {
  return new Option('--data <dir>', common.dataOption(usualDataFolder().folder))
    .argParser(valid(FileName))
    .env('TIDEGATE_DATA')
}

/** Adds `--data`, `--server` and what belongs to it. */
export function addServerOptions(command: Command): Command {
  return command
    .addOption(dataOption())
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

/** Adds `--data` to a command that works on this computer only, and says so if `--server` is given. */
export function addLocalOptions(command: Command): Command {
  const refused = new Option('--server <url>').hideHelp().argParser(() => {
    throw new UsageError(text.localOnly(command.name()))
  })
  return command.addOption(dataOption()).addOption(refused)
}

/** Reads the address of a server; throws `UsageError`. */
export function serverAddress(typed: string): string {
  const address = readAddress(typed)
  if (address === undefined) throw new UsageError(text.wrongAddress(typed))
  return address.url
}

/** What is given on the command line counts more than what is in the environment. */
function chooseTarget(command: Command): void {
  const [data, server] = ['data', 'server'].map((name) => command.getOptionValueSource(name))
  if (data === undefined || server === undefined) return
  if (data === server) throw new UsageError(text.twoTargets(data === 'env'))
  command.setOptionValue(data === 'env' ? 'data' : 'server', undefined)
}
