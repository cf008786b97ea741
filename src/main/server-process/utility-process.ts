import { join } from 'node:path'
import { MessageChannelMain, type MessagePortMain, utilityProcess } from 'electron'
import type {
  ServerProcessMessage,
  ServerProcessRequest,
} from '../../shared/console/desktop/server-process.ts'

/** A server process, as far as the supervisor needs one. */
export interface UtilityProcess<Port> {
  post(request: ServerProcessRequest): void
  /** Opens a channel to the process and returns the near end. It closes at once if the process has ended. */
  connect(): Port
  onMessage(listener: (message: ServerProcessMessage) => void): void
  onExit(listener: (code: number) => void): void
  kill(): void
}

/** Starts the built server beside this file as a utility process that logs to `logFile`. */
export function forkServer(logFile: string): UtilityProcess<MessagePortMain> {
  const child = utilityProcess.fork(join(import.meta.dirname, 'server-process.js'), [], {
    serviceName: 'Tidegate server',
    stdio: 'inherit',
    env: { ...process.env, TIDEGATE_LOG_FILE: logFile },
  })
  return {
    post: (request) => child.postMessage(request),
    connect() {
      const { port1, port2 } = new MessageChannelMain()
      const request: ServerProcessRequest = { type: 'connect' }
      child.postMessage(request, [port2])
      // Has an effect only if it was not transferred, because the process has ended.
      port2.close()
      return port1
    },
    onMessage: (listener) => child.on('message', listener),
    onExit: (listener) => child.once('exit', listener),
    kill: () => child.kill(),
  }
}
