import { pino } from 'pino'
import type { RunningServer } from '../../../src/server/compose/running-server.ts'
import type { ApiContext } from '../../../src/server/http/context.ts'
import { FailureLog } from '../../../src/server/http/request/failure-log.ts'
import { perMinute } from '../../../src/server/http/request/rate-limit.ts'
import { RepeatedCalls } from '../../../src/server/runtime/async/repeated-calls.ts'
import { VERSION } from '../../../src/server/runtime/version.ts'

/** The context of a running server's API, made once more, without limits. */
export function apiContextOf(
  running: Pick<RunningServer, 'consoleContext' | 'monitor'>,
): ApiContext {
  const { catalog, fleet, updates, contact, databaseTrouble, certificate } = running.consoleContext
  const log = pino({ level: 'silent' })
  const off = perMinute(0)
  return {
    ...{
      catalog,
      telemetry: fleet,
      databaseTrouble,
      certificate,
      log,
      trustProxy: null,
      version: VERSION,
    },
    failures: new FailureLog(log),
    repeats: new RepeatedCalls(),
    updates,
    contact,
    monitor: running.monitor,
    statusToken: 'of no data folder',
    logHealth: () => ({ lost: 0, failure: null }),
    limits: { device: off, wider: [], key: off, rejectedKey: off },
  }
}
