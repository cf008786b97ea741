import { type Command, InvalidArgumentError, Option } from 'commander'
import { DEFAULT_HOST, SERVER_NUMBERS } from '../../shared/server-numbers.ts'
import { ServerConfig } from '../config.ts'
import type { DataOptions } from './data-folder.ts'
import { onOrOff } from './environment.ts'
import { FileName, valid, validNumber } from './options.ts'

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
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly backupEvery?: number
  readonly backupKeep?: number
  readonly backupFolder?: string
  readonly stopWithParent?: boolean
  readonly logLevel: string
  readonly logFile?: string
}

/** Adds the options of `serve`. Returns the command. */
export function addServeOptions(command: Command): Command {
  return command
    .option('--host <host>', `address to listen on (default: ${DEFAULT_HOST})`, valid(host))
    .option(
      '--port <port>',
      `port, 0 for any that is free (default: ${SERVER_NUMBERS.port.default})`,
      validNumber(port),
    )
    .option(
      '--device-limit <n>',
      `update checks and feed reads a minute and address, 0 for no limit (default: ${SERVER_NUMBERS.limits.device.default})`,
      validNumber(deviceLimit),
    )
    .option(
      '--key-limit <n>',
      `API calls a minute and key, 0 for no limit (default: ${SERVER_NUMBERS.limits.key.default})`,
      validNumber(keyLimit),
    )
    .option(
      '--unreleased-limit <n>',
      `unreleased versions and platforms per app; further ones count as other (default: ${SERVER_NUMBERS.budgets.combinations.default})`,
      validNumber(combinations),
    )
    .option(
      '--new-device-limit <n>',
      `new devices per hour and address without a key, 0 for no limit (default: ${SERVER_NUMBERS.budgets.newDevices.default})`,
      validNumber(newDevices),
    )
    .option(
      '--label-bytes <n>',
      `bytes of labels per device, keys and values in UTF-8 (default: ${SERVER_NUMBERS.budgets.labelBytes.default})`,
      validNumber(labelBytes),
    )
    .option(
      '--min-free-disk <MiB>',
      `minimum free disk space for checks without a key to add data, 0 for no limit (default: ${SERVER_NUMBERS.budgets.minFreeDiskMiB.default})`,
      validNumber(minFreeDiskMiB),
    )
    .option(
      '--max-connections <n>',
      `maximum open connections, a tenth of them per address (default: ${SERVER_NUMBERS.maxConnections.default})`,
      validNumber(maxConnections),
    )
    .option(
      '--trust-proxy <proxies>',
      'proxies whose X-Forwarded-For counts: addresses, ranges, loopback; comma-separated or repeated',
      proxies,
    )
    .option('--tls-cert <file>', 'certificate chain in PEM, for HTTPS')
    .option('--tls-key <file>', 'private key of the certificate, in PEM')
    .option(
      '--keep-check-ins <days>',
      `days that check-ins are kept, 0 for ever (default: ${SERVER_NUMBERS.keepCheckInDays.default})`,
      validNumber(keepCheckInDays),
    )
    .option(
      '--keep-devices <days>',
      `days since last seen after which a device is deleted, 0 for never (default: ${SERVER_NUMBERS.keepDeviceDays.default})`,
      validNumber(keepDeviceDays),
    )
    .option(
      '--keep-seen-once <days>',
      `same for devices seen once without a key, 0 to use --keep-devices (default: ${SERVER_NUMBERS.keepSeenOnceDays.default})`,
      validNumber(keepSeenOnceDays),
    )
    .option(
      '--backup-every <hours>',
      `hours between two backups, 0 for none (default: ${SERVER_NUMBERS.backups.everyHours.default})`,
      validNumber(everyHours),
    )
    .option(
      '--backup-keep <n>',
      `backups that are kept; the oldest is deleted (default: ${SERVER_NUMBERS.backups.keep.default})`,
      validNumber(keep),
    )
    .option(
      '--backup-folder <dir>',
      'where backups go (default: backups in the data folder)',
      valid(folder.unwrap()),
    )
    .option('--stop-with-parent [true|false]', 'stop when the parent process exits', onOrOff)
    .addOption(
      new Option('--log-level <level>', 'minimum log level')
        .choices(LOG_LEVELS)
        .env('TIDEGATE_LOG_LEVEL')
        .default('info'),
    )
    .option(
      '--log-file <file>',
      'log to this file, rotated at 5 MiB, 5 files kept (default: stderr)',
      valid(FileName),
    )
}

function proxies(text: string, previous: readonly string[] = []): readonly string[] {
  const named = text.split(',').map((proxy) => proxy.trim())
  if (named.includes('')) throw new InvalidArgumentError('It must name a proxy.')
  return [...previous, ...named]
}
