import { join } from 'node:path'
import { utilityProcess } from 'electron'
import type { HostMessage, HostRequest } from '../../shared/console/host.ts'

/** A server process, as far as the supervisor needs one. */
export interface UtilityProcess {
  post(request: HostRequest): void
  onMessage(listener: (message: HostMessage) => void): void
  onExit(listener: (code: number) => void): void
  kill(): void
}

/** Starts the built server beside this file as a utility process that logs to `logFile`. */
export function forkServer(logFile: string): UtilityProcess {
  const child = utilityProcess.fork(join(import.meta.dirname, 'host.js'), [], {
    serviceName: 'Tidegate server',
    stdio: 'inherit',
    env: { ...process.env, TIDEGATE_LOG_FILE: logFile },
  })
  return {
    post: (request) => child.postMessage(request),
    onMessage: (listener) => child.on('message', listener),
    onExit: (listener) => child.once('exit', listener),
    kill: () => child.kill(),
  }
}
