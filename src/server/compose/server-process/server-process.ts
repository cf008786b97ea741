import type { ProcessPort } from '../../../shared/console/bridge/port.ts'
import type {
  ServerProcessMessage,
  ServerProcessRequest,
} from '../../../shared/console/desktop/server-process.ts'
import { openLog, surviveBrokenOutput } from '../../runtime/log/log.ts'
import { SupervisedServer } from './supervised-server.ts'

/** What Electron puts on `process` of a utility process, as far as it is used here. */
interface ParentPort {
  on(
    event: 'message',
    listener: (event: {
      readonly data: ServerProcessRequest
      readonly ports: readonly ProcessPort[]
    }) => void,
  ): void
  postMessage(message: ServerProcessMessage): void
}

const port: ParentPort | undefined = Reflect.get(process, 'parentPort')
if (port === undefined)
  throw new Error('server-process.ts runs as a utility process of Electron only')

surviveBrokenOutput()
const { TIDEGATE_LOG_LEVEL: level = 'info', TIDEGATE_LOG_FILE: logFile } = process.env
const { log, health: logHealth } = openLog(level, logFile)
process.on('uncaughtException', endOn)
// Electron only warns about these. A server in an unknown state must exit so that it is restarted.
process.on('unhandledRejection', endOn)

const server = new SupervisedServer({
  log,
  logHealth,
  post: (message) => port.postMessage(message),
  exit: () => process.exit(0),
})
port.on('message', ({ data, ports }) => server.receive(data, ports))

function endOn(error: unknown): never {
  try {
    log.fatal({ err: error }, 'server process exiting')
  } finally {
    process.exit(1)
  }
}
