import { pino } from 'pino'
import type { RunningServer } from '../../src/server/compose/running-server.ts'
import { consoleProcedures } from '../../src/server/console/procedures.ts'

/** Returns how a query is asked of a server in this process, as the desktop app's own server is. */
export function askerOf(server: RunningServer) {
  const { run } = consoleProcedures(server.consoleContext, pino({ level: 'silent' }))
  return (path: string, input: unknown): Promise<unknown> =>
    run({ type: 'query', path, input, signal: undefined })
}
