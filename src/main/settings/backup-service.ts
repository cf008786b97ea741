import type { CallError, CallRequest, CallResult } from '../../shared/console/bridge/bridge.ts'
import type { PortAnswer, ProcessPort } from '../../shared/console/bridge/port.ts'
import { PortClient } from '../../shared/console/bridge/port-client.ts'
import {
  BackupStatus,
  type Inspection,
  type RestoreOutcome,
} from '../../shared/console/settings/backups.ts'
import type { Supervisor } from '../server-process/supervisor.ts'
import type { ChosenPaths } from './paths.ts'

const REFUSED = { ok: false, problem: { code: 'not_chosen' } } as const

type Server = Pick<Supervisor<ProcessPort<PortAnswer>>, 'connect' | 'inspect' | 'restore'>

/**
 * Reads and restores backups for the page: only those that the person chose in the dialog or that the
 * server lists. Otherwise the page could name any file.
 */
export class BackupService {
  readonly #server: Server
  readonly #chosen: ChosenPaths

  constructor(server: Server, chosen: ChosenPaths) {
    this.#server = server
    this.#chosen = chosen
  }

  /** Returns what restoring that file would do, or the problem `not_chosen`. */
  async inspect(file: string): Promise<Inspection> {
    return (await this.#mayRead(file)) ? this.#server.inspect(file) : REFUSED
  }

  /** Restores that file, see `Supervisor.restore`, or returns the problem `not_chosen`. */
  async restore(file: string): Promise<RestoreOutcome> {
    return (await this.#mayRead(file)) ? this.#server.restore(file) : REFUSED
  }

  async #mayRead(file: string): Promise<boolean> {
    if (this.#chosen.has('backup', file)) return true
    const request = { type: 'query', path: 'backups.status', input: undefined } as const
    const answer = await callServer(await this.#server.connect(), request)
    if (!answer.ok) return false
    const isListed = BackupStatus.parse(answer.data).copies.some((copy) => copy.file === file)
    // Kept until it is confirmed: the server, which has the list, may have stopped by then.
    if (isListed) this.#chosen.add('backup', file)
    return isListed
  }
}

const UNAVAILABLE: CallError = { code: 'unavailable', reason: 'server_not_answering' }

/**
 * Calls the server once over `port`, which it closes afterwards; undefined means that no server runs.
 * Never rejects; a server that does not run, or ends first, is the error `unavailable`.
 */
export async function callServer(
  port: ProcessPort<PortAnswer> | undefined,
  request: CallRequest,
): Promise<CallResult> {
  if (port === undefined) return { ok: false, error: UNAVAILABLE }
  const client = new PortClient((message) => port.postMessage(message))
  port.on('message', ({ data }) => client.receive(data))
  port.on('close', () => client.close(UNAVAILABLE))
  port.start()
  try {
    return await client.call(request)
  } finally {
    port.close()
  }
}
