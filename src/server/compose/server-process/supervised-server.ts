import type { Logger } from 'pino'
import { messageOf } from '../../../shared/basics/message-of.ts'
import type { ProcessPort } from '../../../shared/console/bridge/port.ts'
import { PortServer } from '../../../shared/console/bridge/port-server.ts'
import type { Procedures } from '../../../shared/console/bridge/procedures.ts'
import type {
  ServerProcessConfig,
  ServerProcessMessage,
  ServerProcessRequest,
  ServerTrouble,
} from '../../../shared/console/desktop/server-process.ts'
import { listenFailure, type StartFailure } from '../../../shared/operation/start-failure.ts'
import { consoleProcedures } from '../../console/procedures.ts'
import type { LogHealth } from '../../runtime/log/log-writer.ts'
import { createServer } from '../../server.ts'
import type { MigrationVersions } from '../../storage/interface/storage.ts'
import { StorageError } from '../../storage/interface/storage-error.ts'
import type { RunningServer } from '../running-server.ts'
import { inspectBackup, restoreBackup } from './restore-task.ts'

/** Milliseconds between checks whether telemetry, logs and backups can be written. */
const TROUBLE_INTERVAL = 5_000

/** Milliseconds that a final message waits for confirmation before the process exits anyway. */
const CONFIRM_TIME = 5_000

export interface SupervisedServerParts {
  readonly log: Logger
  readonly logHealth: () => LogHealth
  post(message: ServerProcessMessage): void
  /** Exits immediately. */
  exit(): void
}

/** The server process's side of the messages with the main process. One server, started once. */
export class SupervisedServer {
  readonly #parts: SupervisedServerParts
  readonly #ports = new Set<PortServer>()
  #starting: Promise<void> | undefined
  #server: RunningServer | undefined
  #procedures: Procedures | undefined
  #watch: NodeJS.Timeout | undefined

  constructor(parts: SupervisedServerParts) {
    this.#parts = parts
  }

  /** Handles a message of the main process. `ports`: those that came with it. */
  receive(request: ServerProcessRequest, ports: readonly ProcessPort[]): void {
    switch (request.type) {
      case 'start':
        this.#starting ??= this.#start(request.config)
        return
      case 'inspect':
      case 'restore':
        void this.#task(request)
        return
      case 'connect':
        for (const port of ports) this.#connect(port)
        return
      case 'stop':
        void this.#stop()
        return
      case 'received':
        this.#parts.exit()
        return
      default:
        request satisfies never
    }
  }

  async #start(config: ServerProcessConfig): Promise<void> {
    const { log, logHealth, post } = this.#parts
    try {
      const onMigrate = (versions: MigrationVersions) => post({ type: 'migrating', ...versions })
      const parts = { logHealth, onMigrate }
      this.#server = await createServer(config, log, parts).start()
      this.#procedures = consoleProcedures(this.#server.consoleContext, log)
      this.#watchHealth(this.#server)
      post({ type: 'ready', address: this.#server.address })
    } catch (error) {
      log.error({ err: error }, 'could not start')
      await this.#server?.stop()
      this.#endWith({ type: 'failed', failure: startFailure(error, config) })
    }
  }

  /** Answers the console over the port; closes it if no server runs. */
  #connect(port: ProcessPort): void {
    if (this.#procedures === undefined) {
      port.close()
      return
    }
    const answering = new PortServer(port, this.#procedures, () => this.#ports.delete(answering))
    this.#ports.add(answering)
  }

  /** Reports each problem once, and again if it returns after it was gone. */
  #watchHealth(server: RunningServer): void {
    let known = new Set<string>()
    this.#watch = setInterval(() => {
      const troubles = troublesOf(server, this.#parts.logHealth())
      for (const trouble of troubles) {
        if (!known.has(JSON.stringify(trouble))) this.#parts.post({ type: 'trouble', trouble })
      }
      known = new Set(troubles.map((trouble) => JSON.stringify(trouble)))
    }, TROUBLE_INTERVAL)
  }

  async #task({
    type,
    task,
  }: Extract<ServerProcessRequest, { type: 'inspect' | 'restore' }>): Promise<void> {
    if (type === 'inspect') {
      this.#endWith({ type: 'inspected', result: await inspectBackup(task) })
    } else {
      const result = await restoreBackup(task)
      this.#parts.log.info({ file: task.file, result }, 'restore finished')
      this.#endWith({ type: 'restored', result })
    }
  }

  async #stop(): Promise<void> {
    const { log } = this.#parts
    await this.#starting
    clearInterval(this.#watch)
    for (const port of this.#ports) port.stop()
    this.#procedures = undefined
    await this.#server?.stop().catch((error) => log.error({ err: error }, 'could not stop'))
    this.#endWith({ type: 'stopped' })
  }

  /** Sends a final message and exits once it has arrived, or after a timeout. */
  #endWith(message: ServerProcessMessage): void {
    const { post, exit } = this.#parts
    post(message)
    setTimeout(exit, CONFIRM_TIME)
  }
}

function troublesOf(
  { telemetry, backups, databaseTrouble, stoppedPlans }: RunningServer,
  log: LogHealth,
): ServerTrouble[] {
  const troubles: ServerTrouble[] = []
  const { failure } = telemetry.health
  if (databaseTrouble() !== null) troubles.push({ code: 'database_file' })
  else if (failure !== null) troubles.push({ code: 'telemetry', problem: failure })
  if (log.failure !== null) troubles.push({ code: 'log', failure: log.failure })
  if (backups.failure !== null) troubles.push({ code: 'backup', problem: backups.failure })
  for (const plan of stoppedPlans()) troubles.push({ code: 'plan_stopped', ...plan })
  return troubles
}

/** Returns the facts of what `Server.start` threw. */
export function startFailure(error: unknown, config: ServerProcessConfig): StartFailure {
  if (error instanceof StorageError) return { code: 'storage', problem: error.problem }
  const detail = messageOf(error)
  if (config.tls !== undefined && isTlsFailure(error, config.tls)) return { code: 'tls', detail }
  return listenFailure(error, config) ?? { code: 'other', detail }
}

/** Reading the two files failed, or OpenSSL refuses what is in them. */
function isTlsFailure(error: unknown, tls: NonNullable<ServerProcessConfig['tls']>): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && String(error.code).startsWith('ERR_OSSL')) return true
  return 'path' in error && (error.path === tls.certFile || error.path === tls.keyFile)
}
