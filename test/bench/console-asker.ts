import { pino } from 'pino'
import { consoleProcedures } from '../../src/server/console/procedures.ts'
import type { RunningServer } from '../../src/server/running-server.ts'

/** Returns how a query is asked of a server in this process, as the desktop app's own server is. */
export function askerOf(server: RunningServer) {
  const { run } = consoleProcedures(server.consoleContext, pino({ level: 'silent' }))
  return (path: string, input: unknown): Promise<unknown> =>
    run({ type: 'query', path, input, signal: undefined })
}
