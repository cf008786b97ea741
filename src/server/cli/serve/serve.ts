import { PerformanceObserver, performance } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import type { Command } from 'commander'
import type { Logger } from 'pino'
import { backupProblemSentence } from '../../../shared/wording/operation/storage-problem.ts'
import type { RunningServer } from '../../compose/running-server.ts'
import { accountName } from '../../runtime/account.ts'
import type { openLog, ProcessLog } from '../../runtime/log/log.ts'
import { addCommand } from '../command/options.ts'
import { print, report } from '../command/output.ts'
import { stopSignal } from '../command/signals.ts'
import type { DataOptions } from '../data/data-folder.ts'
import { describeCommand } from '../documents/described.ts'
import { requireConsistent } from '../settings/consistency.ts'
import { addSettingOptions } from '../settings/options.ts'
import { type ReadSettings, readSettings, unknownVariables } from '../settings/read.ts'
import { secretIn } from '../settings/secret-file.ts'
import type { Settings } from '../settings/table.ts'
import { text as common } from '../strings/common.ts'
import { text } from '../strings/serve.ts'
import { buildPage } from './console-page.ts'
import { keepSelfSigned, renewSelfSigned } from './self-signed.ts'
import { filesOf, serverConfigOf } from './serve-config.ts'
import { requireLogFile, startError } from './serve-failures.ts'
import { keepInformed } from './supervised.ts'

/** Collections of the young space in one second that say that a server is busy: it then works for about a fifth of its time. */
const BUSY = 50

/**
 * Lets the young space of V8 grow, once, when many ask for updates: with that of the start, collections take 1.5 µs of each
 * check, and 0.3 µs after it. A server that has little to do keeps the small one, which is 14 MB less.
 */
function growYoungSpaceUnderLoad(): void {
  const bytes = () =>
    getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0
  const atStart = bytes()
  const growBy = (factor: 1 | 8) => setFlagsFromString(`--semi-space-growth-factor=${factor}`)
  let second = 0
  let counted = 0
  new PerformanceObserver((list, observer) => {
    // It has grown: the collections that follow would go on to 128 MB.
    const isDone = bytes() > 2 * atStart
    if (isDone) observer.disconnect()
    const now = Math.floor(performance.now() / 1_000)
    counted = (now === second ? counted : 0) + list.getEntries().length
    second = now
    growBy(counted >= BUSY && !isDone ? 8 : 1)
  }).observe({ entryTypes: ['gc'] })
}

/** `serve`. */
export function addServeCommand(program: Command): void {
  const command = addSettingOptions(addCommand(program, 'serve', text.description))
  command.action(serve)
  describeCommand(command)
}

async function serve(_options: DataOptions, command: Command): Promise<void> {
  const settings = readSettings(command)
  const { dataFolder, values, givenBy } = settings
  await requireConsistent(settings)
  for (const name of unknownVariables(process.env)) {
    report(common.warning(text.unknownVariable(name)))
  }
  const files = filesOf(settings)
  const { RestorableServer } = await import('../../compose/restorable-server.ts')
  const { openLog, surviveBrokenOutput, tryLogFile } = await import('../../runtime/log/log.ts')
  const { logFile, consoleHost: names = [] } = values
  if (logFile !== undefined) requireLogFile(givenBy('logFile'), logFile, tryLogFile)
  surviveBrokenOutput()
  const logs = openLogs(values, openLog)
  const { log } = logs
  const selfSigned = values.tlsSelfSigned ? await keepSelfSigned(dataFolder, names) : undefined
  const server = new RestorableServer(
    serverConfigOf(settings, files, selfSigned),
    { log, logHealth: logs.health, accessLog: logs.accessLog },
    {
      onRestoring: ({ actor }) => print(text.restoring(actor.name)),
      onRestored: (outcome, running) => {
        if (!outcome.ok) report(text.notRestored(backupProblemSentence(outcome.problem)))
        else if (outcome.aside === null) print(text.restored)
        else print(text.restoredInPlaceOf(outcome.aside))
        void printServer(running, dataFolder)
      },
    },
  )
  const stopRequested = stopSignal({
    withParent: values.stopWithParent,
    onHangup: () => {
      logs.reopen()
      void server.running?.reloadCertificate()
    },
  })
  const running = await server.start().catch((error) => {
    throw startError(error, values)
  })
  await createFirst(running, settings).catch(async (error) => {
    await server.stop()
    throw error
  })
  growYoungSpaceUnderLoad()
  await printServer(running, dataFolder)
  const stopBuilding = values.console === 'off' ? () => {} : buildPage()
  const supervised = keepInformed(server, running.address, log)
  if (selfSigned !== undefined) print(text.fingerprint(selfSigned.fingerprint))
  if (values.console === 'lan' && running.certificate() === null) warnOfPlainHttp(values)
  const stopRenewing = renewSelfSigned(dataFolder, names, selfSigned, {
    onRenewed: (fingerprint) => log.warn({ fingerprint }, 'self-signed certificate renewed'),
    onFailure: (err) => log.error({ err }, 'could not renew the self-signed certificate'),
  })
  try {
    await Promise.race([stopRequested, server.failed])
  } catch (error) {
    throw startError(error, values)
  } finally {
    stopBuilding()
    stopRenewing()
    await Promise.all([supervised.stopping(), server.stop()])
  }
}

async function printServer(running: RunningServer, dataFolder: string): Promise<void> {
  print(text.listening(running.address))
  if (running.metricsAddress !== null) print(text.metricsAt(running.metricsAddress))
  await printConsole(running, dataFolder)
}

/** Says what a console for the network without TLS means. Behind a proxy, TLS is the proxy's. */
function warnOfPlainHttp({ consolePlainHttp, trustProxy = [] }: Settings): void {
  if (consolePlainHttp) report(text.plainHttp)
  else if (trustProxy.length === 0) report(text.needsTls)
}

/** What stands for this program on a command line: in a copy of the repository, a script of npm. */
function programInWords(): string {
  return process.env.npm_lifecycle_event === 'serve' ? 'npm run -s tidegate --' : 'tidegate'
}

async function printConsole(running: RunningServer, dataFolder: string): Promise<void> {
  const { people, consoleAddress, consoleCode } = running
  if (consoleAddress === null) return
  print(text.consoleAt(consoleAddress))
  // A link is a secret: for the person at the terminal, not for a log.
  const isForPerson = process.stdout.isTTY
  if (people.hasAccounts()) {
    if (isForPerson && consoleCode !== null)
      print(text.newBrowser(`${consoleAddress}#/code/${consoleCode}`))
    return
  }
  if (!isForPerson) {
    print(text.noAccount(`${programInWords()} person setup-link --data "${dataFolder}"`))
    return
  }
  const { token } = await people.createSetupLink()
  print(text.setUp(`${consoleAddress}#/link/${token}`))
}

/**
 * Creates the first account of the settings while there is none. Throws `UsageError` for a file that cannot be read,
 * and `Refusal` for a name or password that cannot be used.
 */
async function createFirst(
  { people }: RunningServer,
  { values: { setupName: name, setupPasswordFile: file }, givenBy }: ReadSettings,
): Promise<void> {
  if (file === undefined || people.hasAccounts()) return
  const password = secretIn(file, givenBy('setupPasswordFile'))
  const actor = { kind: 'command_line', name: accountName() } as const
  if (await people.createFirst({ name, password }, actor)) print(text.createdFirst(name))
}

interface ServerLogs extends ProcessLog {
  /** A line for every request, if the settings ask for it. */
  readonly accessLog: Logger | undefined
}

/** Opens the logs. Requests have a file of their own, so that they never rotate errors away. */
function openLogs(
  { logLevel, logFile, accessLog }: Pick<Settings, 'logLevel' | 'logFile' | 'accessLog'>,
  open: typeof openLog,
): ServerLogs {
  const main = open(logLevel, logFile)
  if (!accessLog) return { ...main, accessLog: undefined }
  if (logFile === undefined) {
    return { ...main, accessLog: main.log.child({}, { level: 'info' }) }
  }
  const access = open('info', `${logFile}.access`)
  return {
    log: main.log,
    accessLog: access.log,
    health: () => {
      const [ofMain, ofAccess] = [main.health(), access.health()]
      return { lost: ofMain.lost + ofAccess.lost, failure: ofMain.failure ?? ofAccess.failure }
    },
    reopen: () => {
      main.reopen()
      access.reopen()
    },
  }
}
