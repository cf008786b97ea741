import type {
  ServerProcessConfig,
  ServerProcessMessage,
  ServerProcessRequest,
} from '../../shared/console/desktop/server-process.ts'
import type { Inspection, RestoreOutcome } from '../../shared/console/settings/backups.ts'
import type { UtilityProcess } from './utility-process.ts'

/** Milliseconds: reading tens of gigabytes through takes long. */
const LONGEST = 60 * 60_000

const MIB = 1_024 ** 2

const UNREAD = { ok: false, problem: { code: 'reading_ended' } } as const
const UNRESTORED = { ok: false, problem: { code: 'restoring_ended' } } as const

interface TaskOptions {
  fork(): UtilityProcess<unknown>
  config(): Pick<ServerProcessConfig, 'dataFolder' | 'hosting' | 'budgets'>
}

/**
 * Work on the data folder in processes of their own, which end after it. Killing one is safe at any
 * time: either the old or the new database is in place, intact.
 */
export class DataFolderTasks {
  readonly #options: TaskOptions
  readonly #processes = new Set<UtilityProcess<unknown>>()

  constructor(options: TaskOptions) {
    this.#options = options
  }

  /** Reads a backup through, and changes nothing. */
  async inspect(file: string): Promise<Inspection> {
    const answer = await this.#run('inspect', file)
    return answer?.type === 'inspected' ? answer.result : UNREAD
  }

  /** Restores a backup; no server may hold the data folder. Resolves once the process has ended. */
  async restore(file: string): Promise<RestoreOutcome> {
    const answer = await this.#run('restore', file)
    return answer?.type === 'restored' ? answer.result : UNRESTORED
  }

  /** Kills the running processes; what waits for them gets the answer that they ended. */
  killAll(): void {
    for (const process of this.#processes) process.kill()
  }

  /** Resolves with the last message of the process once it has ended. */
  #run(type: 'inspect' | 'restore', file: string): Promise<ServerProcessMessage | undefined> {
    const { dataFolder, hosting, budgets } = this.#options.config()
    const reserve = (budgets?.minFreeDiskMiB ?? 0) * MIB
    const files = hosting === undefined ? null : { folder: hosting.folder, reserve }
    const request: ServerProcessRequest = { type, task: { dataFolder, files, file } }
    const process = this.#options.fork()
    this.#processes.add(process)
    const timer = setTimeout(() => process.kill(), LONGEST)
    let answer: ServerProcessMessage | undefined
    process.onMessage((message) => {
      answer = message
      process.post({ type: 'received' })
    })
    return new Promise((resolve) => {
      process.onExit(() => {
        clearTimeout(timer)
        this.#processes.delete(process)
        resolve(answer)
      })
      process.post(request)
    })
  }
}
