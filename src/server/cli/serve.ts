import { type Command, InvalidArgumentError, Option } from 'commander'
import { DEFAULT_HOST, SERVER_NUMBERS } from '../../shared/server-numbers.ts'
import { ServerConfig } from '../config.ts'
import type { RunningServer } from '../server.ts'
import { type DataOptions, dataFolderOf } from './data-folder.ts'
import { givenBy, onOrOff, takeEnvironment } from './environment.ts'
import { UsageError } from './errors.ts'
import { addCommand, FileName, valid, validNumber } from './options.ts'
import { print } from './output.ts'
import { requireLogFile, startError, tlsOf } from './serve-failures.ts'
import { stopSignal } from './signals.ts'
import { text } from './strings/serve.ts'

const { host, port, maxConnections, limits, budgets, backups } = ServerConfig.shape
const { keepCheckInDays, keepDeviceDays, keepSeenOnceDays } = ServerConfig.shape
const { device: deviceLimit, key: keyLimit } = limits.unwrap().shape
const { everyHours, keep, folder } = backups.unwrap().shape
const { combinations, newDevices, labelBytes, minFreeDiskMiB } = budgets.unwrap().shape
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

interface ServeOptions extends DataOptions {
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

/** `serve`. */
export function addServeCommand(program: Command): void {
  const { limits, budgets, backups } = SERVER_NUMBERS
  takeEnvironment(addCommand(program, 'serve', text.description))
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
    .option('--tls-cert <file>', text.tlsCert)
    .option('--tls-key <file>', text.tlsKey)
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
    .action(serve)
}

async function serve(options: ServeOptions, command: Command): Promise<void> {
  const tls = tlsOf(options, command)
  const { createServer } = await import('../server.ts')
  const { compileTrust } = await import('../http/request/address.ts')
  const { openLog, surviveBrokenOutput, tryLogFile } = await import('../log/log.ts')
  const { host, port, deviceLimit, keyLimit, trustProxy = [], keepCheckIns } = options
  try {
    compileTrust(trustProxy)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(text.wrongProxy(givenBy(command, '--trust-proxy'), reason))
  }
  const { logFile } = options
  if (logFile !== undefined) requireLogFile(givenBy(command, '--log-file'), logFile, tryLogFile)
  surviveBrokenOutput()
  const { log, health: logHealth } = openLog(options.logLevel, logFile)
  const server = createServer(
    {
      dataFolder: dataFolderOf(options),
      host,
      port,
      limits: { device: deviceLimit, key: keyLimit },
      budgets: {
        combinations: options.unreleasedLimit,
        newDevices: options.newDeviceLimit,
        labelBytes: options.labelBytes,
        minFreeDiskMiB: options.minFreeDisk,
      },
      maxConnections: options.maxConnections,
      trustProxy: [...trustProxy],
      keepCheckInDays: keepCheckIns,
      keepDeviceDays: options.keepDevices,
      keepSeenOnceDays: options.keepSeenOnce,
      tls,
      backups: {
        everyHours: options.backupEvery,
        keep: options.backupKeep,
        folder: options.backupFolder,
      },
    },
    log,
    { logHealth },
  )
  let running: RunningServer | undefined
  const stopRequested = stopSignal({
    withParent: options.stopWithParent,
    onHangup: () => void running?.reloadCertificate(),
  })
  running = await server.start().catch((error) => {
    throw startError(error, options)
  })
  print(text.listening(running.address))
  await stopRequested
  await running.stop()
}

function proxies(list: string, previous: readonly string[] = []): readonly string[] {
  const named = list.split(',').map((proxy) => proxy.trim())
  if (named.includes('')) throw new InvalidArgumentError(text.emptyProxy)
  return [...previous, ...named]
}
