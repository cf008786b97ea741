import type { Logger } from 'pino'
import type { HostConfig, HostMessage, HostRequest } from '../../shared/console/host.ts'
import { answerCall, follow, type Procedures } from '../../shared/console/procedures.ts'
import { severalDatabases } from '../../shared/data-folder.ts'
import type { ServerConfigInput } from '../config.ts'
import type { LogHealth } from '../log/log-writer.ts'
import { createServer, type RunningServer } from '../server.ts'
import type { MigrationVersions } from '../storage/interface/storage.ts'
import { consoleProcedures } from './console-procedures.ts'
import { inspectBackup, restoreBackup } from './restore-task.ts'
import { startFailure } from './start-failure.ts'

/** Milliseconds between two looks at whether telemetry and backups can be written. */
const TROUBLE_INTERVAL = 5_000

/** Milliseconds that a final message waits for confirmation before the process exits anyway. */
const CONFIRM_TIME = 5_000

const NOT_RUNNING = { code: 'unavailable', message: 'The server does not run.' } as const

export interface HostPorts {
  readonly log: Logger
  readonly logHealth: () => LogHealth
  post(message: HostMessage): void
  /** Exits immediately. */
  exit(): void
}

/** The server process's side of the messages with the main process. One server, started once. */
export class Host {
  readonly #ports: HostPorts
  readonly #subscriptions = new Map<number, AbortController>()
  #starting: Promise<void> | undefined
  #server: RunningServer | undefined
  #procedures: Procedures | undefined
  #watch: NodeJS.Timeout | undefined

  constructor(ports: HostPorts) {
    this.#ports = ports
  }

  receive(request: HostRequest): void {
    switch (request.type) {
      case 'start':
        this.#starting ??= this.#start(request.config)
        return
      case 'inspect':
      case 'restore':
        void this.#task(request)
        return
      case 'call':
        void this.#call(request)
        return
      case 'subscribe':
        void this.#subscribe(request)
        return
      case 'unsubscribe':
        this.#subscriptions.get(request.id)?.abort()
        return
      case 'stop':
        void this.#stop()
        return
      case 'received':
        this.#ports.exit()
        return
      default:
        request satisfies never
    }
  }

  async #start(config: HostConfig): Promise<void> {
    const { log, logHealth, post } = this.#ports
    const { dataFolder: folder, otherDatabases: others = [] } = config
    if (others.length > 0) {
      const message = severalDatabases({ folder, others })
      this.#endWith({ type: 'failed', reason: 'other', message })
      return
    }
    try {
      const onMigrate = (versions: MigrationVersions) => post({ type: 'migrating', ...versions })
      const parts = { logHealth, onMigrate }
      this.#server = await createServer(serverConfig(config), log, parts).start()
      this.#procedures = consoleProcedures(this.#server, log)
      this.#watchHealth(this.#server)
      post({ type: 'ready', address: this.#server.address })
    } catch (error) {
      log.error({ err: error }, 'the server could not start')
      await this.#server?.stop()
      this.#endWith({ type: 'failed', ...startFailure(error, config) })
    }
  }

  async #call({ id, request }: Extract<HostRequest, { type: 'call' }>): Promise<void> {
    const result = this.#procedures
      ? await answerCall(this.#procedures, request)
      : ({ ok: false, error: NOT_RUNNING } as const)
    this.#ports.post({ type: 'result', id, result })
  }

  async #subscribe({ id, request }: Extract<HostRequest, { type: 'subscribe' }>): Promise<void> {
    const { post } = this.#ports
    if (this.#procedures === undefined) {
      post({ type: 'event', id, event: { type: 'error', error: NOT_RUNNING } })
      return
    }
    const controller = new AbortController()
    this.#subscriptions.set(id, controller)
    await follow(this.#procedures, request, controller.signal, (event) =>
      post({ type: 'event', id, event }),
    )
    this.#subscriptions.delete(id)
  }

  /** Tells every trouble once, and again when it came back. */
  #watchHealth({ fleet, backups, databaseTrouble }: RunningServer): void {
    let known = new Set<string>()
    this.#watch = setInterval(() => {
      const troubles = new Set<string>()
      if (databaseTrouble() !== null) {
        troubles.add('The database file was moved, deleted or replaced. Changes cannot be saved.')
      } else if (fleet.health.failure !== null) {
        troubles.add(`Telemetry cannot be written: ${fleet.health.failure}`)
      }
      const { failure } = this.#ports.logHealth()
      if (failure !== null) troubles.add(`The log cannot be written: ${failure}`)
      if (backups.failure !== null) troubles.add(`No backup could be made: ${backups.failure}`)
      for (const message of troubles) {
        if (!known.has(message)) this.#ports.post({ type: 'trouble', message })
      }
      known = troubles
    }, TROUBLE_INTERVAL)
  }

  async #task({
    type,
    dataFolder,
    file,
  }: Extract<HostRequest, { type: 'inspect' | 'restore' }>): Promise<void> {
    if (type === 'inspect') {
      this.#endWith({ type: 'inspected', result: await inspectBackup(dataFolder, file) })
    } else {
      const result = await restoreBackup(dataFolder, file)
      this.#ports.log.info({ file, result }, 'restore')
      this.#endWith({ type: 'restored', result })
    }
  }

  async #stop(): Promise<void> {
    const { log } = this.#ports
    await this.#starting
    clearInterval(this.#watch)
    for (const controller of this.#subscriptions.values()) controller.abort()
    this.#procedures = undefined
    await this.#server?.stop().catch((error) => log.error({ err: error }, 'could not stop'))
    this.#endWith({ type: 'stopped' })
  }

  /** Sends a final message and exits once it has arrived, or after a timeout. */
  #endWith(message: HostMessage): void {
    const { post, exit } = this.#ports
    post(message)
    setTimeout(exit, CONFIRM_TIME)
  }
}

function serverConfig({ trustProxy, otherDatabases: _, ...config }: HostConfig): ServerConfigInput {
  return { ...config, ...(trustProxy === undefined ? {} : { trustProxy: [...trustProxy] }) }
}
