import type { Command } from 'commander'
import { includesEveryAddress } from '../../shared/trusted-proxy.ts'
import { backupProblemSentence } from '../../shared/wording/storage-problem.ts'
import type { RunningServer } from '../running-server.ts'
import { buildPage, PAGE_FOLDER } from './console-page.ts'
import { dataFolderOf } from './data-folder.ts'
import { givenBy, takeEnvironment } from './environment.ts'
import { UsageError } from './errors.ts'
import { addCommand } from './options.ts'
import { print, report } from './output.ts'
import { keepSelfSigned, renewSelfSigned } from './self-signed.ts'
import { requireLogFile, startError, tlsOf } from './serve-failures.ts'
import { addServeOptions, type ServeOptions } from './serve-options.ts'
import { providerOf } from './serve-provider.ts'
import { stopSignal } from './signals.ts'
import { text } from './strings/serve.ts'

/** `serve`. */
export function addServeCommand(program: Command): void {
  const command = takeEnvironment(addCommand(program, 'serve', text.description))
  addServeOptions(command).action(serve)
}

async function serve(options: ServeOptions, command: Command): Promise<void> {
  const tls = tlsOf(options, command)
  const { RestorableServer } = await import('../restorable-server.ts')
  const { compileTrust } = await import('../http/request/address.ts')
  const { openLog, surviveBrokenOutput, tryLogFile } = await import('../log/log.ts')
  const { host, port, deviceLimit, keyLimit, trustProxy = [], keepCheckIns } = options
  const wrongProxy = (reason: string) =>
    new UsageError(text.wrongProxy(givenBy(command, '--trust-proxy'), reason))
  const everyone = trustProxy.find(includesEveryAddress)
  if (everyone !== undefined) throw wrongProxy(text.everyAddress(everyone))
  try {
    compileTrust(trustProxy)
  } catch (error) {
    throw wrongProxy(error instanceof Error ? error.message : String(error))
  }
  const { logFile } = options
  if (logFile !== undefined) requireLogFile(givenBy(command, '--log-file'), logFile, tryLogFile)
  surviveBrokenOutput()
  const { log, health: logHealth } = openLog(options.logLevel, logFile)
  const dataFolder = dataFolderOf(options)
  const { consoleHost: names = [] } = options
  const selfSigned = options.tlsSelfSigned ? await keepSelfSigned(dataFolder, names) : undefined
  const server = new RestorableServer(
    {
      dataFolder,
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
      tls: selfSigned ? { certFile: selfSigned.file, keyFile: selfSigned.file } : tls,
      provider: providerOf(options, command),
      console: {
        mode: options.console,
        plainHttp: options.consolePlainHttp,
        names: [...names],
        pageFolder: PAGE_FOLDER,
      },
      backups: {
        everyHours: options.backupEvery,
        keep: options.backupKeep,
        folder: options.backupFolder,
      },
    },
    { log, logHealth },
    {
      onRestoring: ({ actor }) => print(text.restoring(actor.name)),
      onRestored: (outcome, running) => {
        if (!outcome.ok) report(text.notRestored(backupProblemSentence(outcome.problem)))
        else if (outcome.aside === null) print(text.restored)
        else print(text.restoredInPlaceOf(outcome.aside))
        void printServer(running)
      },
    },
  )
  const stopRequested = stopSignal({
    withParent: options.stopWithParent,
    onHangup: () => void server.running?.reloadCertificate(),
  })
  const running = await server.start().catch((error) => {
    throw startError(error, options)
  })
  const stopBuilding = options.console === 'off' ? () => {} : buildPage()
  await printServer(running)
  if (selfSigned !== undefined) print(text.fingerprint(selfSigned.fingerprint))
  if (options.console === 'lan' && running.certificate() === null) warnOfPlainHttp(options)
  const stopRenewing = renewSelfSigned(dataFolder, names, selfSigned, {
    onRenewed: (fingerprint) => log.warn({ fingerprint }, 'self-signed certificate renewed'),
    onFailure: (err) => log.error({ err }, 'could not renew the self-signed certificate'),
  })
  try {
    await Promise.race([stopRequested, server.failed])
  } catch (error) {
    throw startError(error, options)
  } finally {
    stopBuilding()
    stopRenewing()
    await server.stop()
  }
}

async function printServer(running: RunningServer): Promise<void> {
  print(text.listening(running.address))
  await printConsole(running)
}

/** Says what a console for the network without TLS means. Behind a proxy, TLS is the proxy's. */
function warnOfPlainHttp({ consolePlainHttp, trustProxy = [] }: ServeOptions): void {
  if (consolePlainHttp === true) report(text.plainHttp)
  else if (trustProxy.length === 0) report(text.needsTls)
}

/** Tells whoever started the server where its console is, and how the first account is made. */
async function printConsole({ people, consoleAddress }: RunningServer): Promise<void> {
  if (consoleAddress === null) return
  print(text.consoleAt(consoleAddress))
  // A link is a secret: for the person at the terminal, not for a log.
  if (people.hasAccounts() || !process.stdout.isTTY) return
  const { token } = await people.createSetupLink()
  print(text.setUp(`${consoleAddress}#/link/${token}`))
}
