import type { HostMessage, HostRequest } from '../shared/console/host.ts'
import { Host } from './host/host.ts'
import { openLog, surviveBrokenOutput } from './log/log.ts'

/** What Electron puts on `process` of a utility process, as far as it is used here. */
interface ParentPort {
  on(event: 'message', listener: (event: { readonly data: HostRequest }) => void): void
  postMessage(message: HostMessage): void
}

const port: ParentPort | undefined = Reflect.get(process, 'parentPort')
if (port === undefined) throw new Error('host.ts runs as a utility process of Electron only')

surviveBrokenOutput()
const { TIDEGATE_LOG_LEVEL: level = 'info', TIDEGATE_LOG_FILE: logFile } = process.env
const { log, health: logHealth } = openLog(level, logFile)
process.on('uncaughtException', (error) => {
  log.fatal({ err: error }, 'the server process ends')
  process.exit(1)
})

const host = new Host({
  log,
  logHealth,
  post: (message) => port.postMessage(message),
  // The message that was posted last has to leave first, and nobody says when it has.
  exit: () => setTimeout(() => process.exit(0), 50),
})
port.on('message', ({ data }) => host.receive(data))
