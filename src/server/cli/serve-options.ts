import { type Command, InvalidArgumentError, Option } from 'commander'
import { DEFAULT_HOST, SERVER_NUMBERS } from '../../shared/server-numbers.ts'
import { type ConsoleConfig, ServerConfig } from '../config.ts'
import type { DataOptions } from './data-folder.ts'
import { onOrOff } from './environment.ts'
import { FileName, valid, validNumber } from './options.ts'
import { text } from './strings/serve.ts'

const { host, port, maxConnections, limits, budgets, backups } = ServerConfig.shape
const { keepCheckInDays, keepDeviceDays, keepSeenOnceDays } = ServerConfig.shape
const { device: deviceLimit, key: keyLimit } = limits.unwrap().shape
const { everyHours, keep, folder } = backups.unwrap().shape
const { combinations, newDevices, labelBytes, minFreeDiskMiB } = budgets.unwrap().shape
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** The options of `serve`; what is not given has the default of the server. */
export interface ServeOptions extends DataOptions {
  readonly host?: string
  readonly port?: number
  readonly deviceLimit?: number
  readonly keyLimit?: number
  readonly unreleasedLimit?: number
  readonly newDeviceLimit?: number
  readonly labelBytes?: number
  readonly minFreeDisk?: number
  readonly maxConnections?: number
  readonly trustProxy?: readonly string[]
  readonly keepCheckIns?: number
  readonly keepDevices?: number
  readonly keepSeenOnce?: number
  readonly console?: ConsoleConfig['mode']
  readonly consoleHost?: readonly string[]
  readonly consolePlainHttp?: boolean
  readonly oidcIssuer?: string
  readonly oidcClientId?: string
  readonly oidcClientSecretFile?: string
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly tlsSelfSigned?: boolean
  readonly backupEvery?: number
  readonly backupKeep?: number
  readonly backupFolder?: string
  readonly stopWithParent?: boolean
  readonly logLevel: string
  readonly logFile?: string
}

/** Adds the options of `serve`. Returns the command. */
export function addServeOptions(command: Command): Command {
  const { limits, budgets, backups } = SERVER_NUMBERS
  return command
    .option('--host <host>', text.default(text.host, DEFAULT_HOST), valid(host))
    .option(
      '--port <port>',
      text.default(text.port, SERVER_NUMBERS.port.default),
      validNumber(port),
    )
    .option(
      '--device-limit <n>',
      text.default(text.deviceLimit, limits.device.default),
      validNumber(deviceLimit),
    )
    .option(
      '--key-limit <n>',
      text.default(text.keyLimit, limits.key.default),
      validNumber(keyLimit),
    )
    .option(
      '--unreleased-limit <n>',
      text.default(text.unreleasedLimit, budgets.combinations.default),
      validNumber(combinations),
    )
    .option(
      '--new-device-limit <n>',
      text.default(text.newDeviceLimit, budgets.newDevices.default),
      validNumber(newDevices),
    )
    .option(
      '--label-bytes <n>',
      text.default(text.labelBytes, budgets.labelBytes.default),
      validNumber(labelBytes),
    )
    .option(
      '--min-free-disk <MiB>',
      text.default(text.minFreeDisk, budgets.minFreeDiskMiB.default),
      validNumber(minFreeDiskMiB),
    )
    .option(
      '--max-connections <n>',
      text.default(text.maxConnections, SERVER_NUMBERS.maxConnections.default),
      validNumber(maxConnections),
    )
    .option('--trust-proxy <proxies>', text.trustProxy, proxies)
    .addOption(
      new Option('--console <mode>', text.console)
        .choices(['off', 'loopback', 'lan'])
        .env('TIDEGATE_CONSOLE')
        .default('loopback'),
    )
    .option('--console-host <name>', text.consoleHost, hostNames)
    .option('--console-plain-http [true|false]', text.consolePlainHttp, onOrOff)
    .option('--oidc-issuer <url>', text.oidcIssuer)
    .option('--oidc-client-id <id>', text.oidcClientId)
    .option('--oidc-client-secret-file <file>', text.oidcClientSecretFile)
    .option('--tls-cert <file>', text.tlsCert)
    .option('--tls-key <file>', text.tlsKey)
    .option('--tls-self-signed [true|false]', text.tlsSelfSigned, onOrOff)
    .option(
      '--keep-check-ins <days>',
      text.default(text.keepCheckIns, SERVER_NUMBERS.keepCheckInDays.default),
      validNumber(keepCheckInDays),
    )
    .option(
      '--keep-devices <days>',
      text.default(text.keepDevices, SERVER_NUMBERS.keepDeviceDays.default),
      validNumber(keepDeviceDays),
    )
    .option(
      '--keep-seen-once <days>',
      text.default(text.keepSeenOnce, SERVER_NUMBERS.keepSeenOnceDays.default),
      validNumber(keepSeenOnceDays),
    )
    .option(
      '--backup-every <hours>',
      text.default(text.backupEvery, backups.everyHours.default),
      validNumber(everyHours),
    )
    .option(
      '--backup-keep <n>',
      text.default(text.backupKeep, backups.keep.default),
      validNumber(keep),
    )
    .option('--backup-folder <dir>', text.backupFolder, valid(folder.unwrap()))
    .option('--stop-with-parent [true|false]', text.stopWithParent, onOrOff)
    .addOption(
      new Option('--log-level <level>', text.logLevel)
        .choices(LOG_LEVELS)
        .env('TIDEGATE_LOG_LEVEL')
        .default('info'),
    )
    .option('--log-file <file>', text.logFile, valid(FileName))
}

/** Lower case and without a port, as the `Host` field is compared. */
function hostNames(list: string, previous: readonly string[] = []): readonly string[] {
  const named = list.split(',').map((name) => name.trim().toLowerCase())
  const wrong = named.find((name) => !/^[a-z\d]([a-z\d.-]*[a-z\d])?$/.test(name))
  if (wrong !== undefined) throw new InvalidArgumentError(text.wrongHostName(wrong))
  return [...previous, ...named]
}

function proxies(list: string, previous: readonly string[] = []): readonly string[] {
  const named = list.split(',').map((proxy) => proxy.trim())
  if (named.includes('')) throw new InvalidArgumentError(text.emptyProxy)
  return [...previous, ...named]
}
