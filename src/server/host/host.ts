import type { Logger } from 'pino'
import type { HostConfig, HostMessage, HostRequest } from '../../shared/console/host.ts'
import { answerCall, follow, type Procedures } from '../../shared/console/procedures.ts'
import { createServer, type RunningServer } from '../server.ts'
import { consoleProcedures } from './console-procedures.ts'
import { startFailure } from './start-failure.ts'

/** Milliseconds between two looks at whether telemetry can be written. */
const TROUBLE_INTERVAL = 5_000

const NOT_RUNNING = { code: 'unavailable', message: 'The server does not run.' } as const

export interface HostPorts {
  readonly log: Logger
  post(message: HostMessage): void
  /** Ends the process, once nothing is left to do. */
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
      default:
        request satisfies never
    }
  }

  async #start(config: HostConfig): Promise<void> {
    const { log, post, exit } = this.#ports
    try {
      this.#server = await createServer(config, log).start()
      this.#procedures = consoleProcedures(this.#server, log)
      this.#watchTelemetry(this.#server)
      post({ type: 'ready', address: this.#server.address })
    } catch (error) {
      log.error({ err: error }, 'the server could not start')
      await this.#server?.stop()
      post({ type: 'failed', ...startFailure(error, config) })
      exit()
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

  #watchTelemetry({ fleet }: RunningServer): void {
    let known: string | null = null
    this.#watch = setInterval(() => {
      const { failure } = fleet.health
      if (failure !== null && failure !== known) {
        const message = `Telemetry cannot be written: ${failure}`
        this.#ports.post({ type: 'trouble', message })
      }
      known = failure
    }, TROUBLE_INTERVAL)
  }

  async #stop(): Promise<void> {
    const { log, post, exit } = this.#ports
    await this.#starting
    clearInterval(this.#watch)
    for (const controller of this.#subscriptions.values()) controller.abort()
    this.#procedures = undefined
    await this.#server?.stop().catch((error) => log.error({ err: error }, 'could not stop'))
    post({ type: 'stopped' })
    exit()
  }
}
