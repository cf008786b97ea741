import type { Logger } from 'pino'
import type { openLog, ProcessLog } from '../../log/log.ts'
import type { Settings } from '../settings/table.ts'

/** The logs of a server. */
export interface ServerLogs extends ProcessLog {
  /** A line for every request, if the settings ask for it. */
  readonly accessLog: Logger | undefined
}

/** Opens the logs. Requests have a file of their own, so that they never rotate errors away. */
export function openLogs(
  { logLevel, logFile, accessLog }: Pick<Settings, 'logLevel' | 'logFile' | 'accessLog'>,
  open: typeof openLog,
): ServerLogs {
  const main = open(logLevel, logFile)
  if (!accessLog) return { ...main, accessLog: undefined }
  if (logFile === undefined) {
    return { ...main, accessLog: main.log.child({}, { level: 'info' }) }
  }
  const access = open('info', accessLogFile(logFile))
  return {
    log: main.log,
    accessLog: access.log,
    health: () => {
      const [ofMain, ofAccess] = [main.health(), access.health()]
      return { lost: ofMain.lost + ofAccess.lost, failure: ofMain.failure ?? ofAccess.failure }
    },
    reopen: () => {
      main.reopen()
      access.reopen()
    },
  }
}

/** The file of the requests beside a log file. */
function accessLogFile(logFile: string): string {
  return `${logFile}.access`
}
