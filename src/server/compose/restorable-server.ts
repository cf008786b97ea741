import type { Logger } from 'pino'
import type { LastRestore, RestoreOutcome } from '../../shared/console/settings/backups.ts'
import type { StorageProblem } from '../../shared/operation/storage-problem.ts'
import type { RestoreRequest } from '../backups/restores.ts'
import type { ServerConfigInput } from '../config.ts'
import { Mutex } from '../runtime/async/mutex.ts'
import { createServer } from '../server.ts'
import { StorageError } from '../storage/interface/storage-error.ts'
import { storageEngine, storageProblem } from '../storage/open-storage.ts'
import type { RunningServer, ServerParts } from './running-server.ts'

/** How a restore ended; whatever refused it, the previous data is served. */
type Outcome =
  | Extract<RestoreOutcome, { ok: true }>
  | { readonly ok: false; readonly problem: StorageProblem }

export interface RestoreEvents {
  /** The server is about to stop. */
  onRestoring(request: RestoreRequest): void
  /** The server runs again. */
  onRestored(outcome: Outcome, running: RunningServer): void
}

type Parts = Omit<ServerParts, 'restoreHost'> & { readonly log: Logger }

/** A server that can restart in the same process with a backup; if that fails, the previous data is served again. */
export class RestorableServer {
  readonly #config: ServerConfigInput
  readonly #parts: Parts
  readonly #events: RestoreEvents
  readonly #mutex = new Mutex()
  readonly #failed = Promise.withResolvers<never>()
  #running: RunningServer | undefined
  #last: LastRestore | null = null
  #isStopping = false

  /** Throws a ZodError for an invalid configuration at the start. */
  constructor(config: ServerConfigInput, parts: Parts, events: RestoreEvents) {
    this.#config = config
    this.#parts = parts
    this.#events = events
    // Whoever does not wait for it hears of it by `stop` alone.
    this.#failed.promise.catch(() => {})
  }

  /** The server, if it runs. */
  get running(): RunningServer | undefined {
    return this.#running
  }

  /** Rejects when the server could not be started again after a restore. */
  get failed(): Promise<never> {
    return this.#failed.promise
  }

  /** Starts the server; see `Server.start`. */
  async start(): Promise<RunningServer> {
    return await this.#start(this.#config)
  }

  /** Stops the server, after a restore under way. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#mutex.run(async () => await this.#running?.stop())
  }

  async #start(config: ServerConfigInput): Promise<RunningServer> {
    const { log, ...parts } = this.#parts
    const restoreHost = {
      restore: (request: RestoreRequest) => void this.#mutex.run(() => this.#restore(request)),
      last: () => this.#last,
    }
    this.#running = await createServer(config, log, { ...parts, restoreHost }).start()
    return this.#running
  }

  /** Never rejects. */
  async #restore(request: RestoreRequest): Promise<void> {
    const running = this.#running
    if (running === undefined || this.#isStopping) return
    const { log } = this.#parts
    this.#events.onRestoring(request)
    await running.stop()
    this.#running = undefined
    const outcome = await this.#replace(request)
    try {
      await this.#startWith(outcome, request, running)
    } catch (error) {
      log.error({ err: error }, 'could not start after a restore')
      this.#failed.reject(error)
    }
  }

  async #replace({ staged, actor, lacking }: RestoreRequest): Promise<Outcome> {
    const { log } = this.#parts
    try {
      const result = await this.#engine().restore(staged, { actor, staged: true })
      const { aside = null, offered, carriedOver, access, lost } = result
      log.info({ actor, aside }, 'backup restored')
      return { ok: true, aside, offered, carriedOver, access, lost, lacking }
    } catch (error) {
      log.error({ err: error, actor }, 'could not restore the backup')
      return { ok: false, problem: storageProblem(error, staged) }
    }
  }

  async #startWith(restored: Outcome, { actor }: RestoreRequest, before: RunningServer) {
    const config = { ...this.#config, port: portOf(this.#config, before) }
    const startAfter = async (outcome: Outcome) => {
      this.#last = { at: new Date().toISOString(), by: actor.name, outcome }
      this.#events.onRestored(outcome, await this.#start(config))
    }
    try {
      await startAfter(restored)
    } catch (error) {
      const aside = restored.ok ? restored.aside : null
      if (aside === null || !(error instanceof StorageError)) throw error
      this.#parts.log.error({ err: error }, 'could not start with the backup')
      await this.#engine().putBack(aside)
      await startAfter({ ok: false, problem: error.problem })
    }
  }

  #engine() {
    return storageEngine(this.#config)
  }
}

/** The port that browsers and apps know, also where any free one was taken at the start. */
function portOf({ port }: ServerConfigInput, { address }: RunningServer): number | undefined {
  return port === 0 ? Number(new URL(address).port) : port
}
